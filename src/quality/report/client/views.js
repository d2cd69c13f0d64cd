// What the web application shows alike. Written by `npm run generate` from src/quality/report/views. Change it there.
var views = (function(exports) {
	Object.defineProperty(exports, Symbol.toStringTag, { value: "Module" });
	// src/core/titles/catalog.ts
	const useCaseTitles = {
		"robotic-manipulation": "Robotic manipulation",
		"autonomous-driving": "Autonomous driving",
		"drones-aerial": "Drones and aerial robots",
		"vision-datasets": "Vision datasets",
		"spatial-world-models": "Spatial and world models",
		"humanoids-mobile": "Humanoids and mobile robots",
		"data-assessment": "Data assessment"
	};
	const targetTitles = {
		vla: "Vision-language-action model",
		"behaviour-cloning": "Behaviour cloning",
		"diffusion-policy": "Diffusion policy",
		"world-model": "World model",
		"ssl-encoder": "Self-supervised encoder",
		detector: "Object detector"
	};
	const requirementTitles = {
		kind: "Data kind",
		accepted_episodes: "Accepted episodes",
		actions: "Actions",
		states: "States",
		cameras: "Cameras",
		time: "Timestamps",
		instructions: "Task instructions",
		varied_instructions: "Varied instructions",
		outcomes: "Outcome labels",
		labels: "Labels",
		one_action_space: "Single action space"
	};
	const kindTitles = {
		teleop: "Teleoperation",
		egocentric: "Egocentric video",
		"drive-log": "Drive log",
		"aerial-flight": "Drone flight",
		"state-only": "Signals without cameras",
		"vision-asset": "Still images"
	};
	// src/core/titles/checks.ts
	const checkTitles = {
		timeline_integrity: "Timeline integrity",
		signal_sync: "Stream synchronization",
		episode_length: "Episode length",
		kinematic_sanity: "Motion plausibility",
		action_state_agreement: "Action–state agreement",
		gripper_activity: "Gripper activity",
		gripper_consistency: "Gripper consistency",
		language_presence: "Instruction presence",
		language_quality: "Instruction quality",
		camera_coverage: "Camera coverage",
		image_integrity: "Image integrity",
		annotation_coverage: "Label coverage and validity"
	};
	// src/core/titles/findings.ts
	const findingTitles = {
		action_derived: "Actions derived at training time",
		action_shift: "Action shifted by one step",
		archives_not_unpacked: "Archives not unpacked",
		array_length_mismatch: "Array length mismatch",
		array_length_varies: "Varying array lengths",
		array_unreadable: "Unreadable array",
		bag_file_missing: "Missing bag file",
		bag_file_unlisted: "Bag file not listed in metadata",
		calibration_changes: "Calibration change",
		calibration_unreadable: "Unreadable calibration",
		camera_absent_everywhere: "Camera missing in all episodes",
		camera_lengths_differ: "Different camera lengths",
		camera_shows_nothing: "Placeholder camera",
		chunks_out_of_time_order: "Chunks out of time order",
		clock_offsets: "Clock offsets",
		coco_box_outside: "COCO box outside the image",
		codec_unread: "Unsupported compression codec",
		colour_order_unknown: "Unknown colour channel order",
		column_missing: "Missing column",
		column_not_numeric: "Non-numeric column",
		columns_repeated: "Duplicate column names",
		command_index_wrong: "Invalid command index",
		commands_fewer: "Fewer commands than frames",
		commands_not_all_sent: "Commands sent for some frames only",
		compress_len_mismatch: "compress_len mismatch",
		connection_redefined: "Redefined connection",
		crc_absent: "Missing CRC",
		crc_checked: "CRC verified",
		crc_wrong: "CRC mismatch",
		data_file_unreadable: "Unreadable data file",
		dataset_not_opened: "Dataset not opened",
		dataset_unreadable: "Unreadable dataset",
		definition_builtin: "Built-in message definition used",
		definition_misfit: "Message definition mismatch",
		duplicate_episodes: "Duplicate episodes",
		episode_ambiguous: "Ambiguous episode file",
		episode_boundaries_absent: "Missing episode boundaries",
		episode_incomplete: "Incomplete episode",
		episode_marked_invalid: "Episode marked invalid",
		episode_not_measured: "Episode not measured",
		episode_scattered: "Episode rows not contiguous",
		episode_unreadable: "Unreadable episode",
		episode_without_rows: "Episode without rows",
		events_cut: "Event list truncated",
		extrinsics_unreliable: "Unreliable extrinsics",
		features_json_form_unknown: "Unknown features.json layout",
		file_corrupt: "Corrupt file",
		file_empty: "Empty file",
		file_misnamed: "Misnamed file",
		file_truncated: "Truncated file",
		file_unreadable: "Unreadable file",
		files_beside: "Additional files",
		files_missing: "Missing files",
		files_not_read: "Files not read",
		files_unknown: "Unknown files",
		files_unread: "Files not read",
		flags_unknown: "Unknown flags",
		format_not_read: "Unsupported format",
		frame_numbers_other_rate: "Frame numbers at another rate",
		frames_missing: "Missing frames",
		frames_with_erratum: "Frames with a published erratum",
		frames_without_time: "Frames without timestamps",
		gripper_conventions_mixed: "Mixed gripper conventions",
		gripper_not_found: "Gripper not found",
		hdf5_layout_unknown: "Unknown HDF5 layout",
		idle_steps: "Idle steps",
		joint_order: "Unusual joint order",
		key_unusable: "Unusable sample key",
		known_broken_videos: "Known issue: broken videos",
		known_long_actions: "Known issue: overlong actions",
		known_misaligned_videos: "Known issue: misaligned videos",
		last_action_undefined: "Undefined last action",
		length_mismatch: "Length mismatch",
		lfs_pointer: "Git LFS pointer instead of a file",
		link_outside: "Link outside the dataset",
		lists_ragged: "Ragged lists",
		log_time_out_of_order: "Log times out of order",
		mapping_unmarked: "Topics without a role in the mapping",
		message_undecodable: "Undecodable message",
		metadata_above_splits: "Metadata above split folders",
		metadata_absent: "Missing metadata",
		metadata_count_mismatch: "Metadata count mismatch",
		metadata_unreadable: "Unreadable metadata",
		motion_repeated: "Same motion in several scenes",
		motion_usual: "Common motion pattern",
		name_misleads: "Misleading file name",
		name_not_portable: "Non-portable file name",
		names_vary: "Varying dimension names",
		narration_rows_broken: "Invalid narration rows",
		narrations_beyond_video: "Narrations past the end of the video",
		narrations_marked: "Unsure or off-wearer narrations",
		no_messages: "No messages",
		no_rows: "No rows",
		nuscenes_reference_broken: "Broken nuScenes reference",
		nuscenes_scan_cut: "Truncated nuScenes scan",
		outcome_contradicts: "Contradictory outcome",
		oxts_format_differs: "OXTS format mismatch",
		pickles_not_read: "Pickle files not read",
		picture_shape_turned: "Image width and height swapped",
		picture_size_wrong: "Image size differs from metadata",
		picture_stats_wrong: "Incorrect image statistics",
		picture_turned: "Image with EXIF rotation",
		pictures_absent: "Missing images",
		pictures_left_out: "Images left out",
		pictures_unlisted: "Images not listed",
		precision_lost: "Precision lost in storage",
		publish_time_absent: "Missing publish time",
		quaternion_not_unit: "Non-unit quaternion",
		rate_known_format: "Rate known from the format",
		rate_unknown: "Unknown sample rate",
		recipe_leaves_nothing: "Recipe yields no episodes",
		recipe_left_out: "Span left out by the recipe",
		recipe_not_followed: "Recipe not applied",
		recipe_stream_uncut: "Stream not split by the recipe",
		recorder_dropouts: "Recorder dropouts",
		recording_date_unknown: "Unknown recording date",
		recording_empty: "Empty recording",
		recording_split: "Recording split into parts",
		records_unknown: "Unknown record types",
		records_without_scene: "Records without a scene",
		records_without_time: "Records without a timestamp",
		remark: "Note",
		rows_ragged: "Rows of different lengths",
		samples_without_time: "Samples without timestamps",
		scans_damaged: "Damaged lidar scans",
		scene_empty: "Empty scene",
		schema_drift: "Schema drift",
		segment_empty: "Empty segment",
		sequence_absent: "Missing sequence numbers",
		sequence_gap: "Sequence number gap",
		set_chunks_missing: "Missing chunks",
		set_stats_wrong: "Incorrect dataset statistics",
		shard_missing: "Missing shard",
		signal_incomplete: "Incomplete signal",
		signal_lengths_differ: "Signals of different lengths",
		signals_unmapped: "Unmapped signals",
		split_bytes_mismatch: "Split size mismatch",
		split_count_mismatch: "Split count mismatch",
		splits_declared: "Declared splits",
		stamps_unreadable: "Unreadable timestamps",
		statistics_absent: "Missing dataset statistics",
		statistics_mismatch: "Dataset statistics mismatch",
		streams_start_apart: "Streams start at different times",
		sub_step_outside: "Sub-step outside the episode",
		table_unreadable: "Unreadable table",
		task_info_missing: "Missing task info",
		text_unreadable: "Unreadable text",
		timestamps_empty_lines: "Empty lines in the timestamp file",
		timestamps_missing: "Missing timestamps",
		timestamps_off_grid: "Timestamps off the declared rate",
		timestamps_unreadable: "Unreadable timestamps",
		topic_shared: "Topic with several publishers",
		topic_unreadable: "Unreadable topic",
		values_not_numeric: "Non-numeric values",
		video_codec_unshown: "Video codec not supported by browsers",
		video_file_lacks_frames: "Video file with missing frames",
		video_header_damaged: "Damaged video header",
		video_length_differs: "Video length mismatch",
		video_missing: "Missing video",
		video_redacted: "Redacted video",
		video_stamps_off_grid: "Video timestamps off the frame grid",
		video_window_drift: "Video window drift",
		videos_missing: "Missing videos",
		videos_not_split: "Videos not split into episodes",
		videos_without_narrations: "Videos without narrations",
		yolo_background: "YOLO background images",
		yolo_labels_mixed: "Mixed YOLO label types",
		yolo_labels_without_picture: "YOLO labels without an image",
		yolo_pictures_turned: "YOLO images with EXIF rotation",
		zip_member_outside: "ZIP member outside the archive",
		zip_member_repeated: "Duplicate ZIP member",
		zmetadata_stale: "Stale .zmetadata"
	};
	// src/core/titles/flags.ts
	const flagTitles = {
		timestamps_not_finite: "Non-finite timestamps",
		timestamps_not_monotonic: "Non-monotonic timestamps",
		timestamps_duplicated: "Duplicate timestamps",
		timeline_gap: "Timeline gap",
		recorder_dropout: "Recorder dropout",
		rows_missing: "Missing rows",
		clock_jitter: "Timestamp jitter",
		rate_mismatch: "Sample rate mismatch",
		action_state_lag: "Action–state lag",
		stream_starts_late: "Late stream start",
		stream_ends_early: "Early stream end",
		rates_far_apart: "Action–state rate mismatch",
		lag_drift: "Action–state lag drift",
		episode_too_short: "Episode too short",
		episode_empty: "Empty episode",
		episode_too_long: "Episode too long",
		duplicate_episode: "Duplicate episode",
		split_leakage: "Split leakage",
		non_finite_values: "Non-finite values",
		state_frozen: "Frozen state",
		action_frozen: "Frozen action",
		signal_still: "Static signals",
		signal_constant: "Constant signal",
		joint_stuck: "Stuck joint",
		signal_jump: "Signal jump",
		unit_change: "Unit change within the episode",
		signal_saturated: "Saturated signal",
		signal_chatter: "Signal chatter",
		attitude_failure: "Attitude failure",
		autopilot_failsafe: "Autopilot failsafe",
		estimator_reset: "Estimator reset",
		motor_output_lost: "Motor output loss",
		autopilot_alarm: "Autopilot alarm",
		battery_low: "Low battery voltage",
		gnss_degraded: "Degraded GNSS",
		unit_drift: "Inconsistent units",
		episode_idle: "Idle episode",
		joint_flipped: "Flipped joint sign",
		joints_exchanged: "Swapped joints",
		unit_mismatch: "Action–state unit mismatch",
		joint_offset: "Joint offset",
		action_state_disagree: "Action–state disagreement",
		gripper_idle: "Idle gripper",
		gripper_chatter: "Gripper chatter",
		gripper_polarity_mismatch: "Gripper polarity mismatch",
		gripper_not_following: "Gripper not following its command",
		gripper_out_of_range: "Gripper out of range",
		gripper_convention_differs: "Gripper convention mismatch",
		instruction_missing: "Missing instruction",
		instruction_placeholder: "Placeholder instruction",
		instruction_too_short: "Instruction too short",
		instruction_unreadable: "Unreadable instruction",
		instruction_mismatch: "Instruction–motion mismatch",
		instruction_unusual: "Unusual instruction",
		camera_missing: "Missing camera",
		camera_truncated: "Truncated camera stream",
		camera_frames_missing: "Missing camera frames",
		camera_frames_foreign: "Frames from another episode",
		camera_shift_possible: "Possibly shifted images",
		camera_rows_refused: "Frame timestamps out of tolerance",
		camera_window_past_file: "Video window past end of file",
		camera_frames_extra: "Extra camera frames",
		camera_rate_mismatch: "Frame rate mismatch",
		camera_size_mismatch: "Image size mismatch",
		image_undecodable: "Undecodable images",
		image_partly_undecodable: "Partly undecodable images",
		camera_black: "Black frames",
		camera_blank: "Blank frames",
		camera_frozen: "Frozen camera",
		camera_frozen_briefly: "Briefly frozen camera",
		camera_frames_repeated: "Repeated frames",
		slow_motion_discarded: "Slow motion lost in encoding",
		image_underexposed: "Underexposed images",
		image_overexposed: "Overexposed images",
		image_blurred: "Blurred images",
		image_duplicate: "Duplicate image",
		cameras_swapped: "Swapped cameras",
		camera_lags: "Camera lag",
		labels_missing: "Missing labels",
		box_invalid: "Invalid bounding boxes",
		label_unnamed: "Undefined label category"
	};
	// src/core/titles/layers.ts
	const layerTitles = {
		metadata: "Metadata",
		captions: "Captions",
		segments: "Segments",
		object_labels: "Object labels",
		dense_text: "Detailed description",
		hand_pose: "Hand pose",
		body_pose: "Body pose",
		tracks: "Object tracks",
		segmentation: "Semantic segmentation",
		depth: "Depth",
		optical_flow: "Optical flow",
		representation_3d: "3D reconstruction",
		annotation_review: "Annotation review"
	};
	// src/core/titles/metrics.ts
	const metricTitles = {
		"format.loadable": "Loader compatibility",
		"timeline.monotonic": "Timestamp monotonicity",
		"timeline.gap_ratio": "Lost samples",
		"timeline.jitter": "Timestamp jitter",
		"sync.overlap": "Stream overlap",
		"sync.content_lag": "Camera–signal lag",
		"kinematics.violations": "Implausible motion",
		"kinematics.frozen_ratio": "Frozen signals",
		"action.saturation": "Action saturation",
		"gripper.convention": "Gripper convention violations",
		"calibration.drift": "Joint calibration drift",
		"camera.coverage": "Camera coverage",
		"camera.frozen_frames": "Frozen and repeated frames",
		"image.decodable": "Image decodability",
		"image.blur": "Blurred frames",
		"image.exposure": "Exposure defects",
		"image.duplicates": "Duplicate images",
		"stereo.reprojection": "Stereo reprojection error",
		"language.instruction_present": "Instruction presence",
		"language.caption_coverage": "Caption coverage",
		"language.caption_boundaries": "Caption boundary errors",
		"language.caption_video_agreement": "Caption–video agreement",
		"annotation.coverage": "Annotation coverage and validity",
		"split.leakage": "Split leakage"
	};
	// src/core/titles/strategies.ts
	const strategyTitles = {
		decision: "Decision filter",
		score: "Score threshold",
		flag: "Flag filter",
		length: "Length filter",
		exact_duplicate: "Exact-duplicate removal",
		near_duplicate: "Near-duplicate removal",
		outlier: "Outlier removal",
		demonstration_information: "Demonstration information (DemInf)",
		failure_boost: "Failure boosting",
		balance: "Group balancing",
		diversity: "Diversity selection",
		random: "Random subset",
		idle_trim: "Idle trimming"
	};
	// src/core/titles/title-of.ts
	const spellings = new Map([
		"COCO",
		"CRC",
		"CSV",
		"FPS",
		"GNSS",
		"HDF5",
		"ID",
		"JSON",
		"KITTI",
		"LFS",
		"MCAP",
		"nuScenes",
		"OXTS",
		"YAML",
		"YOLO",
		"ZIP"
	].map((word) => [word.toLowerCase(), word]));
	function sentenceCase(id) {
		const [first, ...rest] = id.split(/[_-]/);
		return [spellings.get(first) ?? first.charAt(0).toUpperCase() + first.slice(1), ...rest.map((word) => spellings.get(word) ?? word)].join(" ");
	}
	const lookup = (...tables) => (id) => {
		const table = tables.find((titles) => Object.hasOwn(titles, id));
		return table === void 0 ? sentenceCase(id) : table[id];
	};
	const checkTitle = lookup(checkTitles);
	const codeTitle = lookup(flagTitles, findingTitles);
	const metricTitle = lookup(metricTitles);
	const layerTitle = lookup(layerTitles);
	const strategyTitle = lookup(strategyTitles);
	const caseTitle = lookup(useCaseTitles);
	const targetTitle = lookup(targetTitles);
	const requirementTitle = lookup(requirementTitles);
	const kindTitle = lookup(kindTitles);
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
			reason: "no content hash"
		};
		if (globalThis.crypto?.subtle === void 0) return {
			state: "not_assessable",
			reason: "browsers can compute hashes only on HTTPS or localhost pages"
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
	// src/quality/report/views/set-verdict.ts
	const setVerdictTitles = {
		usable: "Usable",
		usable_after_fix: "Usable after fix",
		not_usable: "Not usable"
	};
	const maxReasons = 3;
	function describeSetVerdict({ verdict, usable_episodes, reasons }, episodes, loader) {
		const title = setVerdictTitles[verdict];
		const share = `${usable_episodes} of ${plural(episodes, "episode")}`;
		if (verdict === "usable") return `${title}: ${share}${loader === null ? "" : `, loads in ${loader}`}`;
		const why = describeReasons(reasons, loader);
		if (verdict === "not_usable") return `${title}: ${why === "" ? "no episode can be read" : why}`;
		return `${title}: ${share} ${describeRemedies(reasons)}. ${why.charAt(0).toUpperCase()}${why.slice(1)}`;
	}
	const remedyTexts = [
		["restore", "after restoring what is missing"],
		["fix", "after assay fix"],
		["export", "with assay export, which leaves out the rest"]
	];
	function describeRemedies(reasons) {
		const remedies = new Set(reasons.map(({ remedy }) => remedy));
		return remedyTexts.filter(([remedy]) => remedies.has(remedy)).map(([, text]) => text).join(" and ");
	}
	const effectTexts = {
		refuses_set: (loader) => `${loader} cannot open the dataset`,
		refuses_rows: (loader) => `${loader} fails on some rows`,
		serves_wrong_rows: (loader) => `${loader} returns wrong rows`,
		stops_training: () => "training stops with an error",
		unreadable: () => "unreadable",
		rejected: () => "rejected"
	};
	function describeReasons(reasons, loader) {
		const listed = [...Map.groupBy(reasons.slice(0, maxReasons), ({ effect }) => effect)].map(([effect, own]) => {
			const codes = own.map(({ code, episodes }) => episodes === null ? codeTitle(code) : `${codeTitle(code)} (${plural(episodes, "episode")})`);
			return `${effectTexts[effect](loader ?? "the loader")}: ${codes.join(", ")}`;
		});
		const more = reasons.length - maxReasons;
		return [...listed, ...more > 0 ? [plural(more, "more reason")] : []].join("; ");
	}
	exports.canonicalJson = canonicalJson;
	exports.caseTitle = caseTitle;
	exports.checkRows = checkRows;
	exports.checkSeal = checkSeal;
	exports.checkTitle = checkTitle;
	exports.codeTitle = codeTitle;
	exports.count = count;
	exports.decisionWords = decisionWords;
	exports.decisions = decisions;
	exports.describeSetVerdict = describeSetVerdict;
	exports.duration = duration;
	exports.flagGroups = flagGroups;
	exports.glyphPaths = glyphPaths;
	exports.kindTitle = kindTitle;
	exports.layerTitle = layerTitle;
	exports.measuredInShort = measuredInShort;
	exports.metricTitle = metricTitle;
	exports.number = number;
	exports.percent = percent;
	exports.plural = plural;
	exports.requirementTitle = requirementTitle;
	exports.score = score;
	exports.scoredWeight = scoredWeight;
	exports.sentenceCase = sentenceCase;
	exports.shortNumber = shortNumber;
	exports.spread = spread;
	exports.strategyTitle = strategyTitle;
	exports.targetTitle = targetTitle;
	exports.words = words;
	return exports;
})({});
Object.assign(assay, views);
