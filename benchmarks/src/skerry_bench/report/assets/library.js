// The chart library is stored in the page in compressed form. It is unpacked here and run as an
// inline script, without a request. Browsers without DecompressionStream show text and tables only.
async function unpack(id) {
  const packed = atob(document.getElementById(id).textContent);
  const bytes = Uint8Array.from(packed, (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

async function loadLibrary() {
  const script = document.createElement("script");
  script.textContent = await unpack("library");
  document.head.append(script);
}

const loaded = "DecompressionStream" in window ? loadLibrary() : null;
if (!loaded) document.getElementById("old-browser").hidden = false;
