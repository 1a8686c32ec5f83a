window.isPlaywrightMCP = true;
