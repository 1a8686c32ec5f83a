// The page that encodes a video: it paints frames on a canvas, and encodes them with WebCodecs. Python evaluates it in a
// hidden target. The value is the object whose methods Python calls.
(() => {
  "use strict";
  const LONGEST_ENCODING = 200; // ms; an encoder may leave out a frame
  const CURSOR = new Path2D("M0 0 L0 17 L4.5 13.5 L7.5 20 L10 19 L7 12.5 L12.5 12 Z");
  let canvas, context, encoder, failure = null, frame = null, chunks = [];
  let onChunk = () => {};
  const overlays = { html: null, image: null };

  // Prepare a video. Return null, or why the browser cannot encode it.
  async function start({ width, height, bitrate }) {
    if (typeof VideoEncoder === "undefined") return "it has no VideoEncoder";
    const config = { codec: "vp8", width, height, bitrate, latencyMode: "realtime" };
    if (!(await VideoEncoder.isConfigSupported(config)).supported) return `it does not encode VP8 with ${width}x${height} pixels`;
    canvas = new OffscreenCanvas(width, height);
    context = canvas.getContext("2d", { alpha: false });
    encoder = new VideoEncoder({ output: receive, error: (error) => {
      failure = error;
      onChunk();
    } });
    encoder.configure(config);
    return null;
  }

  // Encode a frame, and return the frames that were encoded since the last call. `jpeg` replaces the picture of the page,
  // `html` is drawn over it, and then the mouse cursor. Times are in milliseconds.
  async function draw({ jpeg, html, cursor, at, isKey }) {
    if (jpeg !== null) frame = await load(`data:image/jpeg;base64,${jpeg}`);
    if (html !== overlays.html) {
      overlays.image = html === null ? null : await load(`data:image/svg+xml,${encodeURIComponent(html)}`);
      overlays.html = html;
    }
    const { width, height } = canvas;
    context.fillStyle = "white";
    context.fillRect(0, 0, width, height);
    if (frame !== null) {
      const scale = Math.min(width / frame.width, height / frame.height);
      const size = [frame.width * scale, frame.height * scale];
      context.drawImage(frame, (width - size[0]) / 2, (height - size[1]) / 2, ...size);
    }
    if (overlays.image !== null) context.drawImage(overlays.image, 0, 0, width, height);
    if (cursor !== null) drawCursor(...cursor);
    const picture = new VideoFrame(canvas, { timestamp: at * 1000 });
    encoder.encode(picture, { keyFrame: isKey });
    picture.close();
    if (chunks.length === 0) await Promise.race([new Promise((done) => (onChunk = done)), pause(LONGEST_ENCODING)]);
    return take();
  }

  async function finish() {
    await encoder.flush();
    encoder.close();
    return take();
  }

  function receive(chunk) {
    chunks.push(chunk);
    onChunk();
  }

  const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

  function take() {
    if (failure !== null) throw failure;
    const taken = chunks;
    chunks = [];
    return taken.map((chunk) => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      return [Math.round(chunk.timestamp / 1000), chunk.type === "key", toBase64(bytes)];
    });
  }

  function toBase64(bytes) {
    let text = "";
    for (let start = 0; start < bytes.length; start += 8192) text += String.fromCharCode(...bytes.subarray(start, start + 8192));
    return btoa(text);
  }

  async function load(url) {
    const image = new Image();
    image.src = url;
    await image.decode();
    return image;
  }

  function drawCursor(x, y) {
    context.save();
    context.translate(x, y);
    context.fillStyle = "black";
    context.strokeStyle = "white";
    context.lineWidth = 1.5;
    context.fill(CURSOR);
    context.stroke(CURSOR);
    context.restore();
  }

  return { start, draw, finish };
})()
