"""A form of Gradio: a text file, choices and a slider produce a summary and a table."""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ |= {"GRADIO_ANALYTICS_ENABLED": "False", "GRADIO_TEMP_DIR": str(Path.cwd())}
import gradio


def summarize(file: str | None, language: str, length: int, parts: list[str]) -> tuple[str, object]:
    """Count words of the file, and list the longest ones."""
    words = Path(file).read_text().split() if file else []
    longest = sorted(set(words), key=lambda word: (-len(word), word))[: int(length)]
    rows = [[word, len(word)] for word in longest]
    return f"{len(words)} words in {language}, parts: {', '.join(parts) or 'none'}", rows


def build() -> gradio.Blocks:
    """Two tabs: the form, and its settings."""
    with gradio.Blocks(title="Word counter") as page:
        gradio.Markdown("# Word counter\nUpload a text and choose what to count.")
        with gradio.Tab("Count"):
            with gradio.Row():
                file = gradio.File(label="Text file", file_types=[".txt"], type="filepath")
                with gradio.Column():
                    language = gradio.Dropdown(
                        ["English", "French", "German", "Portuguese"], label="Language"
                    )
                    length = gradio.Slider(1, 20, value=5, step=1, label="Longest words")
                    parts = gradio.CheckboxGroup(["Title", "Body", "Notes"], label="Parts")
            run = gradio.Button("Count words", variant="primary")
            summary = gradio.Textbox(label="Summary")
            table = gradio.Dataframe(headers=["word", "length"], label="Longest")
            run.click(summarize, [file, language, length, parts], [summary, table])
        with gradio.Tab("Settings"):
            gradio.Radio(["Light", "Dark"], value="Light", label="Theme", interactive=True)
    return page


if __name__ == "__main__":
    build().launch(server_name="127.0.0.1", server_port=int(sys.argv[1]))
