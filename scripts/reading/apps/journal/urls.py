"""The URLs of Wagtail's administration and of the journal."""

from __future__ import annotations

from django.urls import include, path
from wagtail import urls as pages
from wagtail.admin import urls as administration
from wagtail.documents import urls as documents

urlpatterns = [
    path("admin/", include(administration)),
    path("documents/", include(documents)),
    path("", include(pages)),
]
