// The charts' library lies in the page compressed: it is unpacked here and run as a script of the
// page, without a request. A browser too old for that shows the texts and tables, and says so.
async function unpacked(name) {
  const packed = atob(document.getElementById(name).textContent);
  const bytes = Uint8Array.from(packed, (one) => one.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

async function loadLibrary() {
  const script = document.createElement("script");
  script.textContent = await unpacked("library");
  document.head.append(script);
}

const loaded = "DecompressionStream" in window ? loadLibrary() : null;
if (!loaded) document.getElementById("old-browser").hidden = false;
