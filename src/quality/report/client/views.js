// What the web application shows alike. Written by `npm run generate` from src/quality/report/views. Change it there.
var views = (function(exports) {
	Object.defineProperty(exports, Symbol.toStringTag, { value: "Module" });
	// src/quality/report/views/labels.ts
	const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
	const count = (value) => grouped.format(value);
	const plural = (value, one, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`;
	const percent = (share) => share > 0 && share < .001 ? "<0.1 %" : `${+(100 * share).toPrecision(3)} %`;
	const score = (value) => value === null || Number.isNaN(value) ? "–" : value.toFixed(2);
	function number(value, digits = 4) {
		if (!Number.isFinite(value)) return String(value);
		const size = Math.abs(value);
		if (size !== 0 && (size >= 1e6 || size < 1e-4)) return value.toExponential(Math.min(2, digits - 1)).replace("-", "−");
		return String(+value.toPrecision(digits)).replace("-", "−");
	}
	function shortNumber(value) {
		const text = number(value, 3);
		return text.length > 6 ? number(value, 1) : text;
	}
	function duration(seconds) {
		if (seconds < 60) return `${+seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
		const whole = Math.round(seconds);
		const hours = Math.floor(whole / 3600);
		const minutes = Math.floor(whole % 3600 / 60);
		if (hours >= 1) return `${count(hours)} h ${String(minutes).padStart(2, "0")} min`;
		return `${minutes} min ${String(whole % 60).padStart(2, "0")} s`;
	}
	const words = (code) => code.replaceAll("_", " ");
	const decisions = [
		"accept",
		"review",
		"reject"
	];
	const decisionWords = {
		accept: "Accept",
		review: "Review",
		reject: "Reject"
	};
	const octagon = "M5.2 1.5h5.6l3.7 3.7v5.6l-3.7 3.7H5.2l-3.7-3.7V5.2zM8 4.6v4.2M8 10.6v1.2";
	const glyphPaths = {
		accept: "M3.2 8.4 6.6 11.8 12.8 4.6",
		review: "M8 3.2v6M8 11.6v1.4",
		reject: "M4 4l8 8M12 4l-8 8",
		blocking: octagon,
		warning: "M8 1.8 15 14H1zM8 6v4M8 11.4v1",
		error: octagon,
		info: "M8 1.5a6.5 6.5 0 1 0 .01 0zM8 7v4.4M8 4.2v1.2"
	};
	// src/quality/report/views/outcomes.ts
	function checkRows(checks) {
		const rows = [];
		const byReason = new Map();
		for (const check of checks) {
			const outcome = check;
			if (outcome.status === "inapplicable" || outcome.status === "disabled") byReason.set(outcome.reason, [...byReason.get(outcome.reason) ?? [], outcome.id]);
			else rows.push(check);
		}
		return {
			rows,
			idle: Array.from(byReason, ([reason, ids]) => ({
				reason,
				ids
			}))
		};
	}
	const scoredWeight = (checks) => checks.reduce((sum, { status, weight }) => sum + (status === "scored" ? weight : 0), 0);
	const units = [
		["_s", " s"],
		["_ms", " ms"],
		["_hz", " Hz"],
		["_px", " px"],
		["_rad", " rad"],
		["_m", " m"]
	];
	function quantity(name, value) {
		const [suffix, unit] = units.find(([ending]) => name.endsWith(ending)) ?? ["", ""];
		return `${words(name.slice(0, name.length - suffix.length))} ${number(value)}${unit}`;
	}
	function measuredInShort(inputs) {
		const entries = Object.entries(inputs);
		const plain = entries.flatMap(([name, value]) => typeof value === "number" ? [quantity(name, value)] : []);
		return plain.length > 0 ? plain.slice(0, 3).join(", ") : plural(entries.length, "value");
	}
	const severities = [
		"blocking",
		"warning",
		"info"
	];
	function flagGroups(flags) {
		const groups = new Map();
		for (const [index, flag] of flags.entries()) {
			const key = `${flag.check} ${flag.code}`;
			groups.set(key, [...groups.get(key) ?? [], {
				flag,
				index
			}]);
		}
		const rank = ({ raised: [{ flag }] }) => severities.indexOf(flag.severity);
		return Array.from(groups.values(), (raised) => ({
			raised,
			score: Math.min(...raised.map(({ flag }) => flag.score)),
			advices: [...new Set(raised.map(({ flag }) => flag.advice))]
		})).sort((a, b) => rank(a) - rank(b) || a.score - b.score);
	}
	function spread(items, maxItems) {
		if (items.length <= maxItems) return items;
		return Array.from({ length: maxItems }, (_, i) => items[Math.round(i * (items.length - 1) / (maxItems - 1))]);
	}
	// src/quality/report/views/seal.ts
	async function checkSeal(document) {
		const { content_hash: sealed, ...content } = document;
		if (typeof sealed !== "string") return {
			state: "not_assessable",
			reason: "it has no seal"
		};
		if (globalThis.crypto?.subtle === void 0) return {
			state: "not_assessable",
			reason: "browsers hash only on pages over HTTPS or of this machine"
		};
		const bytes = new TextEncoder().encode(canonicalJson(content));
		const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
		const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
		return hash === sealed ? {
			state: "holds",
			hash
		} : {
			state: "broken",
			hash,
			sealed
		};
	}
	function canonicalJson(value) {
		if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
		if (typeof value !== "object" || value === null) return JSON.stringify(value);
		return `{${Object.entries(value).filter(([, member]) => member !== void 0).sort(([a], [b]) => a < b ? -1 : 1).map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(",")}}`;
	}
	exports.canonicalJson = canonicalJson;
	exports.checkRows = checkRows;
	exports.checkSeal = checkSeal;
	exports.count = count;
	exports.decisionWords = decisionWords;
	exports.decisions = decisions;
	exports.duration = duration;
	exports.flagGroups = flagGroups;
	exports.glyphPaths = glyphPaths;
	exports.measuredInShort = measuredInShort;
	exports.number = number;
	exports.percent = percent;
	exports.plural = plural;
	exports.score = score;
	exports.scoredWeight = scoredWeight;
	exports.shortNumber = shortNumber;
	exports.spread = spread;
	exports.words = words;
	return exports;
})({});
Object.assign(assay, views);
