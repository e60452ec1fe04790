"use strict";
(function () {
	var tools = document.getElementById("tools");
	var search = document.getElementById("search");
	var status = document.getElementById("status");
	var shown = document.getElementById("shown");
	var rows = Array.from(document.querySelectorAll("#all tbody tr"));
	var texts = rows.map(function (row) {
		return row.textContent.toLowerCase();
	});

	function filter() {
		var words = search.value.toLowerCase().split(/\s+/);
		var count = 0;

		rows.forEach(function (row, i) {
			var fits = words.every(function (word) {
				return texts[i].includes(word);
			});

			if (status.value)
				fits = row.classList.contains(status.value) ? fits : false;
			row.hidden = !fits;
			count += fits ? 1 : 0;
		});
		shown.textContent = count + " of " + rows.length;
	}

	search.addEventListener("input", filter);
	status.addEventListener("change", filter);
	document.querySelectorAll("[data-status]").forEach(function (link) {
		link.addEventListener("click", function () {
			status.value = link.dataset.status;
			search.value = "";
			filter();
		});
	});
	window.addEventListener("beforeprint", function () {
		document.querySelectorAll("details").forEach(function (part) {
			part.open = true;
		});
	});
	tools.hidden = false;
	filter();
})();
