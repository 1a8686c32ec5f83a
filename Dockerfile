# The server and Chromium:  docker build -t viewpoint-mcp .  &&  docker run -i --rm viewpoint-mcp
FROM debian:trixie-slim AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates python3 python3-venv
COPY pyproject.toml README.md LICENSE /src/
COPY cdp_protocol /src/cdp_protocol
COPY viewpoint_mcp /src/viewpoint_mcp
RUN python3 -m venv /opt/viewpoint-mcp \
 && /opt/viewpoint-mcp/bin/pip install --no-cache-dir /src

FROM debian:trixie-slim
LABEL io.modelcontextprotocol.server.name="io.github.viewpoint-mcp/viewpoint-mcp"
# tini is the first process: it takes leave of what a browser that died left behind.
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      ca-certificates chromium fonts-liberation fonts-noto-color-emoji python3 tini \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --create-home --uid 1000 agent \
 && install --directory --owner agent --group agent /work
COPY --from=build /opt/viewpoint-mcp /opt/viewpoint-mcp
ENV PATH=/opt/viewpoint-mcp/bin:$PATH LANG=C.UTF-8 VIEWPOINT_MCP_HEADLESS=true
USER agent
WORKDIR /work
# With --port and --host 0.0.0.0 it serves HTTP there.
EXPOSE 8931
ENTRYPOINT ["tini", "--", "viewpoint-mcp"]
