// What each client of TypeScript does; see `__main__.py`. `call` is its callTool(params, signal).
export async function steps(client, call) {
  const told = { list: (await client.listTools()).tools.length };
  const shown = await call({ name: "browser_navigate", arguments: { url: process.env.PAGE } });
  const text = shown.content.map((block) => block.text ?? "").join(" ");
  const handle = /context: "([^"]+)"/.exec(text);
  const where = handle ? { context: handle[1] } : {};
  told.call = text.includes("Clients");
  const shot = await call({ name: "browser_take_screenshot", arguments: { ...where } });
  told.image = shot.content.some((block) => block.type === "image");
  const wrong = await call({ name: "browser_click", arguments: { ref: "e99999", ...where } });
  told.error = wrong.isError === true;
  const giving = new AbortController();
  setTimeout(() => giving.abort(), 1000);
  const waiting = { name: "browser_wait_for", arguments: { time: 30, ...where } };
  const isGivenUp = await call(waiting, giving.signal).then(() => false, () => true);
  const after = await call(
    { name: "browser_snapshot", arguments: { ...where } },
    AbortSignal.timeout(10000),
  );
  told.cancel = isGivenUp && !after.isError;
  await client.close();
  console.log(JSON.stringify(told));
}
