// The TypeScript client 2.x: `client2.mjs TRANSPORT MODE`.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { steps } from "./steps.mjs";

const { URL: url, SERVER } = process.env;
const [command, ...args] = JSON.parse(SERVER);
const transports = {
  stdio: () => new StdioClientTransport({ command, args, env: process.env }),
  http: () => new StreamableHTTPClientTransport(new globalThis.URL(`${url}/mcp`)),
};
const mode = process.argv[3];
const client = new Client(
  { name: "clients", version: "0" },
  { versionNegotiation: { mode: mode === "pinned" ? { pin: "2026-07-28" } : mode } },
);
await client.connect(transports[process.argv[2]]());
await steps(client, (params, signal) => client.callTool(params, { signal }));
