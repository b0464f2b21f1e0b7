// What a browser makes of a report, as JSON in <pre id="seen">: read by test_report.sh. The report stands in frames as
// wide as a phone and a desk; this page around it runs the script, the report has none.
"use strict";
const seen = {frames: [], errors: []};
window.onerror = (message) => { seen.errors.push(String(message)); };

function text(element) {
	return element.textContent.trim().replace(/\s+/g, " ");
}

// A table as its caption and rows of texts; marks stand behind their figures as the reader sees them.
function table(element) {
	return {
		caption: element.caption ? text(element.caption) : null,
		rows: [...element.querySelectorAll("tbody tr")].map((row) => [...row.cells].map(text)),
	};
}

// The name that a screen reader says.
function name(element) {
	const title = element.querySelector("title");
	return element.getAttribute("aria-label") || (title ? title.textContent : "");
}

// What sticks out of the page to the right, other than within a box that scrolls.
function sticks_out(doc) {
	const width = doc.documentElement.clientWidth;
	return [...doc.body.querySelectorAll("*")]
		.filter((e) => !e.closest(".scroll") && e.getBoundingClientRect().right > width + 1)
		.map((e) => e.tagName + "." + e.className);
}

function look(frame) {
	const doc = frame.contentDocument;
	const boxes = [...doc.querySelectorAll(".scroll")];
	seen.frames.push({
		width: doc.documentElement.clientWidth,
		scroll_width: doc.documentElement.scrollWidth,
		sticks_out: sticks_out(doc),
		title: doc.title,
		sections: [...doc.querySelectorAll("section")].map((s) => s.id),
		headings: [...doc.querySelectorAll("h2")].map(text),
		tables: [...doc.querySelectorAll("table")].map(table),
		headers_without_scope: doc.querySelectorAll("th:not([scope])").length,
		pictures: [...doc.querySelectorAll("svg")].map((s) =>
			({role: s.getAttribute("role"), name: name(s), width: s.getBoundingClientRect().width})),
		boxes_without_name: boxes.filter((b) => !b.getAttribute("aria-label") || b.tabIndex !== 0).length,
		links: [...doc.querySelectorAll("a[href]")].map((a) => a.getAttribute("href")),
		dead_links: [...doc.querySelectorAll("a[href^='#']")]
			.filter((a) => !doc.getElementById(a.getAttribute("href").slice(1))).length,
		loads: doc.querySelectorAll("script, img, iframe, object, embed, link[rel=stylesheet]").length,
		ids_twice: [...doc.querySelectorAll("[id]")].filter((e, i, all) =>
			all.findIndex((o) => o.id === e.id) !== i).length,
	});
}

window.onload = () => {
	document.querySelectorAll("iframe").forEach(look);
	const pre = document.createElement("pre");
	pre.id = "seen";
	pre.textContent = JSON.stringify(seen);
	document.body.replaceChildren(pre);
};
