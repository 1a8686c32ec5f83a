"""The pages of the journal."""

from __future__ import annotations

from wagtail.admin.panels import FieldPanel
from wagtail.fields import RichTextField
from wagtail.models import Page


class Article(Page):
    """A page with a text, which is edited with Draftail."""

    body = RichTextField(features=["h2", "bold", "italic", "ol", "ul", "link"])
    content_panels = (*Page.content_panels, FieldPanel("body"))
    template = "article.html"
