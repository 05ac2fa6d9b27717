// A main for a target without a fuzzer: every argument is a file of inputs, each behind its size in
// four bytes. Built plain and under the sanitizers.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  int inputs = 0;
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    for (std::size_t at = 0; at + 4 <= bytes.size(); ++inputs) {
      std::uint32_t size = 0;
      std::memcpy(&size, bytes.data() + at, 4);
      at += 4;
      if (size > bytes.size() - at) return 1;
      const std::vector<std::uint8_t> input(bytes.data() + at, bytes.data() + at + size);
      LLVMFuzzerTestOneInput(input.data(), input.size());
      at += size;
    }
  }
  std::printf("%d inputs\n", inputs);
  return inputs > 0 ? 0 : 1;
}
