// A link that lets in once is used by a person's browser, not by what merely previews links.
document.querySelector("form[data-submit-now]").requestSubmit();
