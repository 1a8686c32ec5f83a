// The TypeScript SDK 1.x: `sdk1.mjs TRANSPORT`.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { steps } from "./steps.mjs";

const { URL: url, SERVER } = process.env;
const [command, ...args] = JSON.parse(SERVER);
const transports = {
  stdio: () => new StdioClientTransport({ command, args, env: process.env }),
  http: () => new StreamableHTTPClientTransport(new globalThis.URL(`${url}/mcp`)),
  sse: () => new SSEClientTransport(new globalThis.URL(`${url}/sse`)),
};
const client = new Client({ name: "clients", version: "0" });
await client.connect(transports[process.argv[2]]());
await steps(client, (params, signal) => client.callTool(params, undefined, { signal }));
