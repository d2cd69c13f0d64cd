// Shared with the web application. Written by `npm run generate` from src/quality/report/{views,timeline}. Change it there.
var shared = (function(exports) {
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
		arrays_skipped: "Arrays not read",
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
		clock_not_increasing: "Clock does not increase",
		clock_offsets: "Clock offsets",
		coco_box_outside: "COCO box outside the image",
		codec_unread: "Unsupported compression codec",
		colour_order_unknown: "Unknown colour channel order",
		column_missing: "Missing column",
		column_unsuitable: "Unsuitable column",
		column_not_numeric: "Non-numeric column",
		columns_repeated: "Duplicate column names",
		command_index_wrong: "Invalid command index",
		commands_fewer: "Fewer commands than frames",
		commands_not_all_sent: "Commands for only some frames",
		companion_files_unread: "Parts of the recordings not read",
		compress_len_mismatch: "Compressed length mismatch",
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
		format_recognised_not_read: "Recognised but unsupported format",
		frame_numbers_other_rate: "Frame numbers count at a different rate",
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
		label_file_unreadable: "Unreadable label file",
		label_kinds_not_read: "Label types not read",
		labels_ambiguous: "Labels matching several images",
		labels_repeated: "Labels in several files",
		labels_without_picture: "Labels without an image",
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
		metadata_incomplete: "Incomplete metadata",
		metadata_unreadable: "Unreadable metadata",
		motion_repeated: "Same motion in several scenes",
		motion_usual: "Dataset-wide motion pattern",
		name_misleads: "Misleading file name",
		name_not_portable: "Non-portable file name",
		names_mismatch: "Names do not match dimensions",
		names_vary: "Varying dimension names",
		narration_rows_broken: "Invalid narration rows",
		narrations_beyond_video: "Narrations past the end of the video",
		narrations_marked: "Narrations marked as uncertain or about other people",
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
		rate_differs: "Rate differs from the declared one",
		rate_known_format: "Rate known from the format",
		rate_unknown: "Unknown sample rate",
		recipe_leaves_nothing: "Recipe yields no episodes",
		recipe_left_out: "Span left out by the recipe",
		recipe_not_followed: "Recipe not applied",
		recipe_stream_uncut: "Stream not split by the recipe",
		recorder_dropouts: "Recorder dropouts",
		recording_date_unknown: "Unknown recording date",
		recording_empty: "Empty recording",
		recording_in_two_datasets: "Recording found in two datasets",
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
		shapes_differ: "Different shapes",
		shard_missing: "Missing shard",
		signal_incomplete: "Incomplete signal",
		signal_lengths_differ: "Signals of different lengths",
		signals_unmapped: "Unmapped signals",
		split_bytes_mismatch: "Split size mismatch",
		split_count_mismatch: "Split count mismatch",
		splits_declared: "Declared splits",
		stamps_missing: "Missing timestamps",
		stamps_unreadable: "Unreadable timestamps",
		statistics_absent: "Missing dataset statistics",
		statistics_mismatch: "Dataset statistics mismatch",
		step_differs: "Steps with different shapes",
		step_unreadable: "Unreadable step",
		streams_start_apart: "Streams start at different times",
		sub_step_outside: "Sub-step outside the episode",
		table_unreadable: "Unreadable table",
		task_info_missing: "Missing task info",
		text_unreadable: "Unreadable text",
		timestamps_empty_lines: "Empty lines in the timestamp file",
		timestamps_missing: "Missing timestamps",
		timestamps_off_grid: "Timestamps off the declared rate",
		timestamps_unreadable: "Unreadable timestamps",
		topic_missing: "Missing topic",
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
	// src/core/titles/measure-text.ts
	const labels = {
		ratio: "share, 0 to 1",
		grade: "0 to 1",
		loss: "0 to 1",
		stamps: "timestamps"
	};
	function unitLabel(unit) {
		return Object.hasOwn(labels, unit) ? labels[unit] : unit;
	}
	function measureText(value, unit) {
		const text = (number) => String(Number(number.toPrecision(4)));
		if (unit === "ratio") return `${text(100 * value)} %`;
		if (unit === "share of range") return `${text(100 * value)} % of range`;
		if (unit === "grade" || unit === "loss") return text(value);
		return `${text(value)} ${unitLabel(unit)}`;
	}
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
		"annotation.coverage": "Label coverage and validity",
		"split.leakage": "Split leakage"
	};
	// src/core/titles/strategies.ts
	const strategyTitles = {
		held_out: "Evaluation hold-out",
		decision: "Decision filter",
		score: "Score threshold",
		flag: "Flag filter",
		length: "Length filter",
		exact_duplicate: "Exact-duplicate removal",
		near_duplicate: "Near-duplicate removal",
		outlier: "Outlier removal",
		demonstration_information: "Demonstration information (DemInf)",
		failure_boost: "More weight near failures",
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
	function reasonText(reason) {
		return reason.split("; ").map((part) => {
			const [, kind, codes] = /^(blocking|failed): ([a-z0-9_, ]+)$/.exec(part) ?? [];
			return codes === void 0 ? part : `${kind}: ${codes.split(", ").map(codeTitle).join(", ")}`;
		}).join("; ");
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
	function describeSetVerdict({ verdict, usable_episodes, reasons }, { all, to_review }, loader) {
		const title = setVerdictTitles[verdict];
		const review = to_review === 0 ? "" : ` (${to_review} to review)`;
		const share = `${usable_episodes} of ${plural(all, "episode")}${review}`;
		if (verdict === "usable") return `${title}: ${share}${loader === null ? "" : `, loads in ${loader}`}`;
		const why = describeReasons(reasons, loader);
		if (verdict === "not_usable") return `${title}: ${why === "" ? "no episode can be read" : why}`;
		return `${title}: ${share}, after ${describeRemedies(reasons)}. ${why.charAt(0).toUpperCase()}${why.slice(1)}`;
	}
	const remedyTexts = [
		["restore", "restoring or mapping the missing data"],
		["fix", "running assay fix"],
		["export", "leaving out the others with assay export"]
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
	// src/quality/report/timeline/column.ts
	const gapFactor = 2.5;
	function bucketAt({ first, last, count, step_s }, time_s) {
		let best = -1;
		let distance = Number.POSITIVE_INFINITY;
		for (let b = 0; b < count; b++) {
			const away = time_s < first[b] ? first[b] - time_s : time_s > last[b] ? time_s - last[b] : 0;
			if (away < distance) {
				best = b;
				distance = away;
			}
		}
		return step_s > 0 && distance > 2.5 / 2 * step_s ? -1 : best;
	}
	function rangeOf(columns) {
		let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
		for (const column of columns) {
			if (column.low.every(Number.isNaN)) continue;
			if (column.from < from) from = column.from;
			if (column.to > to) to = column.to;
		}
		return from <= to && Number.isFinite(to - from) ? {
			from,
			to
		} : {
			from: 0,
			to: 0
		};
	}
	function nextBucket({ last, count }, time_s) {
		let best = -1;
		for (let b = 0; b < count; b++) if (last[b] >= time_s && (best < 0 || last[b] < last[best])) best = b;
		return best;
	}
	function valueAt(column, time_s, isStep = false) {
		const bucket = (isStep ? nextBucket : bucketAt)(column.axis, time_s);
		if (bucket < 0) return "–";
		const outlier = column.outliers.find((each) => each.bucket === bucket);
		const low = outlier ? outlier.least : column.low[bucket];
		const high = outlier ? outlier.greatest : column.high[bucket];
		if (Number.isNaN(low)) return column.broken.includes(bucket) ? "not a number" : "–";
		return low === high ? number(low) : `${number(low, 3)} … ${number(high, 3)}`;
	}
	// src/quality/report/timeline/element.ts
	const svgTags = new Set([
		"svg",
		"g",
		"rect",
		"path",
		"line",
		"text",
		"circle",
		"title"
	]);
	function h(tag, attributes, ...children) {
		const element = svgTags.has(tag) ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
		const { on = {}, style = {}, ...plain } = attributes ?? {};
		for (const [event, listener] of Object.entries(on)) element.addEventListener(event, listener);
		for (const [property, css] of Object.entries(style)) element.style.setProperty(property, css);
		for (const [name, value] of Object.entries(plain)) {
			if (value === null || value === void 0 || value === false) continue;
			element.setAttribute(name, value === true ? "" : String(value));
		}
		element.append(...flatten(children));
		return element;
	}
	function flatten(children) {
		return children.flatMap((child) => {
			if (child === null || child === void 0 || child === false) return [];
			return typeof child === "string" || child instanceof Node ? [child] : flatten(child);
		});
	}
	function eachFrame(work) {
		let isScheduled = false;
		return () => {
			if (isScheduled) return;
			isScheduled = true;
			requestAnimationFrame(() => {
				isScheduled = false;
				work();
			});
		};
	}
	// src/quality/report/timeline/marks.ts
	const maxMarks = 200;
	function listMarks(flags) {
		return flags.flatMap(({ marks, severity, code, check }, flag) => marks.map((mark) => ({
			...mark,
			flag,
			severity,
			code,
			check
		})));
	}
	const formatSpan = ({ from_s, to_s }) => to_s - from_s < .005 ? `${from_s.toFixed(2)} s` : `${from_s.toFixed(2)}–${to_s.toFixed(2)} s`;
	function markFinder(marks, chosen) {
		const sorted = (chosen === null ? marks : marks.filter(({ flag }) => flag === chosen)).toSorted((a, b) => Number(b.severity === "blocking") - Number(a.severity === "blocking"));
		return (from, to) => sorted.find(({ from_s, to_s }) => to_s >= from && from_s <= to);
	}
	// src/quality/report/timeline/paint.ts
	const colourNames = [
		"ground",
		"sunken",
		"line",
		"line-strong",
		"ink",
		"soft",
		"faint",
		"accent",
		"reject",
		"review",
		"reject-fill",
		"review-fill",
		"action",
		"state"
	];
	function readPalette(element) {
		const probe = document.createElement("span");
		element.append(probe);
		const colours = colourNames.map((name) => {
			probe.style.color = `var(--${name})`;
			return [name, getComputedStyle(probe).color];
		});
		probe.remove();
		return Object.fromEntries(colours);
	}
	function surface(canvas) {
		const { clientWidth: width, clientHeight: height } = canvas;
		const context = width === 0 || height === 0 ? null : canvas.getContext("2d");
		if (context === null) return null;
		const ratio = Math.max(1, devicePixelRatio || 1);
		if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
			canvas.width = Math.round(width * ratio);
			canvas.height = Math.round(height * ratio);
		}
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		context.clearRect(0, 0, width, height);
		return {
			context,
			width,
			height
		};
	}
	const canvasFont = () => `11px ${getComputedStyle(document.body).fontFamily}`;
	const dotSpacing_px = 9;
	const inset_px = 5;
	function paintColumn({ context, height }, view, column, range, { colour, width, steps = false }) {
		const { axis } = column;
		const y = (value) => {
			const share = range.to > range.from ? (value - range.from) / (range.to - range.from) : .5;
			return height - inset_px - Math.min(1.05, Math.max(-.05, share)) * (height - 10);
		};
		context.strokeStyle = colour;
		context.fillStyle = colour;
		context.lineWidth = width;
		context.lineJoin = "round";
		if (steps) paintSteps(context, view, column, y);
		else for (const run of findRuns(column)) (axis.exact ? paintLine : paintBand)(context, view, column, y, run);
		if (axis.exact && !steps) paintDots(context, view, column, y);
		for (const { bucket, greatest } of column.outliers) paintArrow(context, view.x(axis.first[bucket]), greatest > range.to, height);
	}
	function findRuns({ axis, low }) {
		const maxInterval_s = gapFactor * axis.step_s;
		const runs = [];
		let from = -1;
		for (let b = 0; b < axis.count; b++) {
			const isGap = b > 0 && axis.step_s > 0 && axis.first[b] - axis.last[b - 1] > maxInterval_s;
			if (from >= 0 && (isGap || Number.isNaN(low[b]))) {
				runs.push([from, b - 1]);
				from = -1;
			}
			if (from < 0 && !Number.isNaN(low[b])) from = b;
		}
		if (from >= 0) runs.push([from, axis.count - 1]);
		return runs;
	}
	function paintLine(context, view, { axis, low }, y, [from, to]) {
		context.beginPath();
		for (let b = from; b <= to; b++) context.lineTo(view.x(axis.first[b]), y(low[b]));
		context.stroke();
	}
	function paintDots(context, view, { axis, low }, y) {
		const length_s = Math.max(1e-9, axis.last[axis.count - 1] - axis.first[0]);
		const visible = Math.max(1, (view.to - view.from) * (axis.count - 1) / length_s);
		const all = view.width / visible > dotSpacing_px;
		for (let b = 0; b < axis.count; b++) {
			if (Number.isNaN(low[b])) continue;
			const isAlone = !all && Number.isNaN(low[b - 1] ?? NaN) && Number.isNaN(low[b + 1] ?? NaN);
			const x = view.x(axis.first[b]);
			if (!all && !isAlone || x < -4 || x > view.width + 4) continue;
			context.beginPath();
			context.arc(x, y(low[b]), 1.7, 0, 2 * Math.PI);
			context.fill();
		}
	}
	function paintSteps(context, view, { axis, low, high }, y) {
		context.beginPath();
		for (let b = 0; b < axis.count; b++) {
			const before = b > 0 ? axis.last[b - 1] : axis.first[0];
			context.lineTo(view.x(before), y(high[b]));
			context.lineTo(view.x(axis.last[b]), y(high[b]));
		}
		context.stroke();
		if (axis.exact) return;
		context.globalAlpha = .3;
		for (let b = 0; b < axis.count; b++) {
			const x = view.x(axis.first[b]);
			context.fillRect(x, y(high[b]), Math.max(1, view.x(axis.last[b]) - x), y(low[b]) - y(high[b]));
		}
		context.globalAlpha = 1;
	}
	function paintBand(context, view, { axis, low, high }, y, [from, to]) {
		context.beginPath();
		for (let b = from; b <= to; b++) {
			const at = y(high[b]);
			context.lineTo(view.x(axis.first[b]), at);
			context.lineTo(view.x(axis.last[b]), at);
		}
		for (let b = to; b >= from; b--) {
			const at = y(low[b]);
			context.lineTo(view.x(axis.last[b]), at);
			context.lineTo(view.x(axis.first[b]), at);
		}
		context.closePath();
		context.globalAlpha = .3;
		context.fill();
		context.globalAlpha = 1;
		context.stroke();
	}
	function paintArrow(context, x, up, height) {
		const [tip, foot] = up ? [1, 7] : [height - 1, height - 7];
		context.beginPath();
		context.moveTo(x, tip);
		context.lineTo(x - 4, foot);
		context.lineTo(x + 4, foot);
		context.closePath();
		context.fill();
	}
	function paintBroken({ context, height }, view, column, palette) {
		context.strokeStyle = palette.reject;
		context.lineWidth = 1.6;
		for (const bucket of column.broken) {
			const x = view.x(column.axis.first[bucket]);
			const y = height - 7;
			context.beginPath();
			context.moveTo(x - 3, y - 3);
			context.lineTo(x + 3, y + 3);
			context.moveTo(x + 3, y - 3);
			context.lineTo(x - 3, y + 3);
			context.stroke();
		}
	}
	function paintMark({ context, height }, view, mark, palette, isChosen) {
		const isBlocking = mark.severity === "blocking";
		const [from, to] = widen(view.x(mark.from_s), view.x(mark.to_s), 3);
		const colour = isBlocking ? palette["reject-fill"] : palette["review-fill"];
		context.fillStyle = colour;
		context.globalAlpha = isChosen ? .24 : .15;
		context.fillRect(from, 0, to - from, height);
		context.globalAlpha = isChosen ? .6 : .4;
		if (isBlocking && to - from > 8) paintHatching(context, from, to, height, colour);
		context.globalAlpha = 1;
		context.fillRect(from, 0, to - from, 2);
	}
	function widen(from, to, minWidth) {
		if (to - from >= minWidth) return [from, to];
		const middle = (from + to) / 2;
		return [middle - minWidth / 2, middle + minWidth / 2];
	}
	function paintHatching(context, from, to, height, colour) {
		context.save();
		context.beginPath();
		context.rect(from, 0, to - from, height);
		context.clip();
		context.strokeStyle = colour;
		context.lineWidth = .6;
		context.beginPath();
		for (let x = Math.max(from, -height) - height; x < Math.min(to, 6e3); x += 7) {
			context.moveTo(x, height);
			context.lineTo(x + height, 0);
		}
		context.stroke();
		context.restore();
	}
	// src/quality/report/timeline/lanes.ts
	const glyph = (name) => h("svg", {
		class: `glyph glyph-${name}`,
		viewBox: "0 0 16 16",
		"aria-hidden": "true"
	}, [h("path", { d: glyphPaths[name] ?? glyphPaths.info })]);
	function laneRow(kind, label, plot, { isFlagged = false, scale = null } = {}) {
		return h("div", { class: `lane lane-${kind}${isFlagged ? " is-flagged" : ""}` }, h("div", { class: "lane-label" }, label), h("div", { class: "lane-plot" }, plot), scale);
	}
	var SeriesLane = class {
		element;
		marks;
		#curves;
		#isTrace;
		#range;
		#readings;
		#canvas;
		constructor({ label, curves, marks, kind = "series" }) {
			this.#curves = curves;
			this.#isTrace = kind === "trace";
			this.marks = marks;
			this.#range = rangeOf(curves.map(({ column }) => column));
			this.#readings = curves.map(({ colour }) => h("span", { class: `reading is-${colour}` }));
			this.#canvas = h("canvas", {
				role: "img",
				"aria-label": describe(label, curves, this.#range, marks)
			});
			const texts = scaleTexts(this.#range).map((text) => h("span", {}, text));
			this.element = laneRow(kind, [h("span", {
				class: "lane-name",
				title: label
			}, label), h("span", { class: "readings" }, this.#readings.toReversed())], this.#canvas, {
				isFlagged: marks.length > 0,
				scale: h("span", {
					class: "scale",
					"aria-hidden": "true"
				}, texts)
			});
		}
		draw(view, palette, chosen) {
			const canvas = surface(this.#canvas);
			if (canvas === null) return;
			for (const mark of this.marks) paintMark(canvas, view, mark, palette, mark.flag === chosen);
			for (const { column, colour, width, steps = false } of this.#curves) {
				paintColumn(canvas, view, column, this.#range, {
					colour: palette[colour],
					width,
					steps
				});
				if (!this.#isTrace) paintBroken(canvas, view, column, palette);
			}
		}
		read(time_s) {
			for (const [i, { column, steps }] of this.#curves.entries()) this.#readings[i].textContent = time_s === null ? "" : valueAt(column, time_s, steps);
		}
	};
	function scaleTexts({ from, to }) {
		if (from === to) return [shortNumber(to)];
		for (let digits = 3; digits < 8; digits++) {
			const texts = [to, from].map((value) => number(value, digits));
			if (texts[0] !== texts[1]) return digits === 3 ? [to, from].map(shortNumber) : texts;
		}
		return [number(to, 8), `−${number(to - from, 2)}`];
	}
	function describe(label, curves, { from, to }, marks) {
		const names = curves.map(({ name }) => name).join(" and ");
		const titles = [...new Set(marks.map(({ code }) => codeTitle(code)))];
		const flagged = titles.length > 0 ? `; flagged: ${titles.join(", ")}` : "";
		return `${label}: ${names} between ${number(from)} and ${number(to)}${flagged}`;
	}
	const minMarkWidth_px = 5;
	var FlagLane = class {
		element;
		marks;
		#buttons;
		constructor(flag, marks, onChoose) {
			this.marks = spread(marks, 200);
			const title = codeTitle(flag.code);
			this.#buttons = this.marks.map((mark, i) => h("button", {
				type: "button",
				class: `mark is-${flag.severity}`,
				"aria-label": `${title}, mark ${i + 1} of ${this.marks.length}: ${formatSpan(mark)}${mark.stream ? `, ${mark.stream}` : ""}`,
				title: `${formatSpan(mark)} ${mark.stream}`,
				on: { click: () => onChoose(mark) }
			}));
			const label = h("span", {
				class: "lane-name",
				title: `${title} ${marks[0].stream}`
			}, glyph(flag.severity), title, h("span", { class: "faint" }, ` ${marks[0].stream}`));
			const note = flag.note ? h("span", { class: "lane-sub faint" }, flag.note) : null;
			this.element = laneRow("flag", [label, note], this.#buttons);
		}
		draw(view, _palette, chosen) {
			for (const [i, button] of this.#buttons.entries()) {
				const mark = this.marks[i];
				const from = view.x(mark.from_s);
				const width = Math.max(minMarkWidth_px, view.x(mark.to_s) - from);
				button.style.left = `${100 * (from - (width === minMarkWidth_px ? 2 : 0)) / view.width}%`;
				button.style.width = `${100 * width / view.width}%`;
				button.classList.toggle("is-chosen", mark.flag === chosen);
			}
		}
	};
	var SpanLane = class {
		element;
		#spans;
		#canvas;
		constructor(label, spans) {
			this.#spans = spans;
			this.#canvas = h("canvas", {
				role: "img",
				"aria-label": `${label}: ${spans.map((span) => `${formatSpan(span)} ${span.text}`).join("; ")}`
			});
			this.element = laneRow("events", h("span", { class: "lane-name" }, label), this.#canvas);
		}
		draw(view, palette) {
			const canvas = surface(this.#canvas);
			if (canvas === null) return;
			canvas.context.font = canvasFont();
			for (const [at, span] of this.#spans.entries()) paintSpan(canvas, view, palette, span, at % 2 === 0);
		}
		read(time_s) {
			const now = this.#spans.find(({ from_s, to_s }) => time_s !== null && time_s >= from_s && time_s < to_s);
			this.#canvas.title = now?.text ?? "";
		}
	};
	function paintSpan({ context, height }, view, palette, { from_s, to_s, text }, isEven) {
		const [from, to] = [view.x(from_s), view.x(to_s)];
		if (to < 0 || from > view.width) return;
		context.fillStyle = palette.accent;
		context.globalAlpha = isEven ? .22 : .12;
		context.fillRect(from, 2, Math.max(1, to - from - 1), height - 4);
		context.globalAlpha = 1;
		const start = Math.max(0, from) + 4;
		context.save();
		context.beginPath();
		context.rect(start, 0, Math.max(0, to - start - 4), height);
		context.clip();
		context.fillStyle = palette.soft;
		context.fillText(text, start, height / 2 + 4);
		context.restore();
	}
	var EventLane = class {
		element;
		#events;
		#canvas;
		constructor(events) {
			this.#events = events;
			this.#canvas = h("canvas", {
				role: "img",
				"aria-label": events.map(({ time_s, label }) => `${label} at ${time_s.toFixed(2)} s`).join(", ")
			});
			this.element = laneRow("events", h("span", { class: "lane-name" }, "events"), this.#canvas);
		}
		draw(view, palette) {
			const canvas = surface(this.#canvas);
			if (canvas === null) return;
			const { context, height } = canvas;
			context.font = canvasFont();
			let free = Number.NEGATIVE_INFINITY;
			for (const { time_s, label } of this.#events) {
				const x = view.x(time_s);
				context.fillStyle = palette["line-strong"];
				context.fillRect(x, 0, 1, height);
				if (x < free) continue;
				context.fillStyle = palette.soft;
				context.fillText(label, x + 4, height / 2 + 4);
				free = x + context.measureText(label).width + 12;
			}
		}
	};
	// src/quality/report/timeline/groups.ts
	const maxInitialLanes = 16;
	const maxLanes = 20;
	function splitLanes(lanes, isMarked = () => false) {
		const isInitial = (_, at) => lanes.length <= maxLanes || at < maxInitialLanes || isMarked(at);
		return {
			lanes: lanes.filter(isInitial),
			more: lanes.filter((lane, at) => !isInitial(lane, at))
		};
	}
	function flagGroup(flags, marks, onChoose) {
		const lanes = flags.flatMap((flag, index) => {
			const own = marks.filter((mark) => mark.flag === index);
			return own.length === 0 ? [] : [new FlagLane(flag, own, onChoose)];
		});
		return lanes.length === 0 ? null : {
			title: "Flags",
			about: [],
			lanes,
			more: []
		};
	}
	const roleOrder = ["state", "action"];
	function signalGroups(streams, marks) {
		const rank = ({ role }) => {
			const at = roleOrder.indexOf(role);
			return at < 0 ? roleOrder.length : at;
		};
		const sorted = streams.filter(({ columns }) => columns.length > 0).sort((a, b) => rank(a) - rank(b));
		const drawn = new Set();
		const groups = [];
		for (const stream of sorted) {
			if (drawn.has(stream)) continue;
			const partner = findPartner(stream, sorted);
			if (partner !== null) drawn.add(partner);
			groups.push(signalGroup(stream, partner, marks));
		}
		return groups;
	}
	function findPartner(state, streams) {
		if (state.role !== "state") return null;
		const action = streams.find(({ role, dims, columns }) => role === "action" && dims === state.dims && columns.length === state.columns.length);
		if (action === void 0) return null;
		return state.columns.filter((column, d) => sharesScale(column, action.columns[d])).length > state.columns.length / 2 ? action : null;
	}
	function sharesScale(a, b) {
		const overlap = Math.min(a.to, b.to) - Math.max(a.from, b.from);
		const spread = Math.max(a.to - a.from, b.to - b.from);
		return spread === 0 ? a.from === b.from : overlap > .2 * spread;
	}
	function signalGroup(stream, partner, marks) {
		const members = partner === null ? [stream] : [stream, partner];
		const own = marks.filter((mark) => members.some(({ id }) => id === mark.stream));
		const all = stream.columns.map((_, d) => {
			const curves = members.map(({ id, role, columns }, i) => ({
				name: id,
				column: columns[d],
				colour: i === 0 && role !== "action" ? "state" : "action",
				width: i === 0 ? 1.5 : 1.2
			}));
			return new SeriesLane({
				label: stream.names[d] ?? `${d}`,
				curves: curves.reverse(),
				marks: own.filter(({ dimension }) => dimension === void 0 || dimension === d)
			});
		});
		return {
			title: stream.id,
			partner: partner?.id ?? null,
			about: stream.about,
			...splitLanes(all, (d) => own.some(({ dimension }) => dimension === d))
		};
	}
	function groupElement(group, onChange) {
		const lanes = h("div", { class: "lanes" }, group.lanes.map((lane) => lane.element));
		const more = group.more.length > 0 ? moreButton(group, lanes, onChange) : null;
		const fold = h("button", {
			type: "button",
			class: "group-title",
			"aria-expanded": "true"
		}, group.title);
		fold.addEventListener("click", () => {
			const isFolded = fold.getAttribute("aria-expanded") === "true";
			fold.setAttribute("aria-expanded", String(!isFolded));
			lanes.hidden = isFolded;
			if (more !== null) more.hidden = isFolded;
			onChange();
		});
		return h("section", {
			class: "group",
			"aria-label": group.title
		}, h("h3", {}, fold, group.partner ? legend(group.partner) : null, h("span", { class: "faint" }, group.about.join(" · ")), group.controls ?? null), lanes, more);
	}
	function legend(partner) {
		return h("span", { class: "legend" }, h("span", { class: "swatch is-state" }), "state", h("span", { class: "swatch is-action" }), h("code", {}, partner));
	}
	function moreButton(group, lanes, onChange) {
		const button = h("button", {
			type: "button",
			class: "quiet more"
		}, `Show ${plural(group.more.length, "more dimension")}`);
		button.addEventListener("click", () => {
			lanes.append(...group.more.map((lane) => lane.element));
			group.lanes.push(...group.more.splice(0));
			button.remove();
			onChange();
		});
		return button;
	}
	// src/quality/report/timeline/path.ts
	const positionName = (axis) => new RegExp(`^(.*(position|translation)[._])?${axis}$`, "i");
	const coordinates = [
		{
			across: /(^|[./_])(lon|lng|longitude)(_deg)?$/i,
			up: /(^|[./_])lat(itude)?(_deg)?$/i,
			isNorthUp: true,
			isGeodetic: true
		},
		{
			across: /^(PE|east(_m)?)$/i,
			up: /^(PN|north(_m)?)$/i,
			isNorthUp: true
		},
		{
			across: /^y$/,
			up: /^x$/,
			isNorthUp: true,
			streams: /local_position/
		},
		{
			across: positionName("x"),
			up: positionName("y"),
			isNorthUp: false
		}
	];
	const pathRoles = ["gnss", "odometry"];
	const minExtent_m = 2;
	const maxPlane_m = 1e6;
	function findPath(streams) {
		for (const role of pathRoles) for (const kind of coordinates) for (const stream of streams) {
			if (stream.role !== role || (kind.streams?.test(stream.id) ?? true) === false) continue;
			const path = readPath(stream, kind);
			if (path !== null) return path;
		}
		return null;
	}
	function readPath({ id, names, columns, about }, kind) {
		const [across, up] = [kind.across, kind.up].map((name) => columns[names.findIndex((n) => n !== null && name.test(n))]);
		if (across === void 0 || up === void 0 || about.some((text) => text.includes("/s"))) return null;
		const points = listPoints(across, up, kind.isGeodetic === true);
		const metres = kind.isGeodetic ? project(points) : points;
		const extent_m = Math.max(spanOf(metres.map(({ x }) => x)), spanOf(metres.map(({ y }) => y)));
		const isPlane = metres.every(({ x, y }) => Math.hypot(x, y) < maxPlane_m);
		if (metres.length < 2 || !isPlane || extent_m < minExtent_m) return null;
		const time_s = Float64Array.from(metres, ({ time }) => time);
		const x_m = Float64Array.from(metres, ({ x }) => x);
		const y_m = Float64Array.from(metres, ({ y }) => y);
		return {
			stream: id,
			isNorthUp: kind.isNorthUp,
			time_s,
			x_m,
			y_m,
			speed_mps: computeSpeeds(time_s, [x_m, y_m]),
			isGap: findGaps(time_s, across.axis)
		};
	}
	function listPoints(across, up, isGeodetic) {
		const points = [];
		for (let b = 0; b < across.axis.count; b++) {
			const [x, y] = [across, up].map(({ low, high }) => (low[b] + high[b]) / 2);
			const isMissing = isGeodetic && Math.abs(x) < 1e-9 && Math.abs(y) < 1e-9;
			if (Number.isFinite(x) && Number.isFinite(y) && !isMissing) points.push({
				time: (across.axis.first[b] + across.axis.last[b]) / 2,
				x,
				y
			});
		}
		return points.sort((a, b) => a.time - b.time);
	}
	const metresPerDegree = Math.PI / 180 * 6371008.8;
	function project(points) {
		const scale = points.some(({ y }) => Math.abs(y) > 90) ? 1e-7 : 1;
		const origin = points[0];
		const east = metresPerDegree * scale * Math.cos((origin?.y ?? 0) * scale * Math.PI / 180);
		return points.map(({ time, x, y }) => ({
			time,
			x: (x - origin.x) * east,
			y: (y - origin.y) * metresPerDegree * scale
		}));
	}
	function spanOf(values) {
		let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
		for (const value of values) {
			if (value < from) from = value;
			if (value > to) to = value;
		}
		return to - from;
	}
	const halfWindow_s = .5;
	function computeSpeeds(time_s, axes) {
		return time_s.map((_, i) => speedAt(i, time_s, axes));
	}
	function speedAt(i, time_s, axes) {
		let [from, to] = [Math.max(0, i - 1), Math.min(time_s.length - 1, i + 1)];
		while (from > 0 && time_s[i] - time_s[from] < halfWindow_s) from--;
		while (to < time_s.length - 1 && time_s[to] - time_s[i] < halfWindow_s) to++;
		const passed_s = time_s[to] - time_s[from];
		return passed_s > 0 ? Math.hypot(...axes.map((axis) => axis[to] - axis[from])) / passed_s : 0;
	}
	function findGaps(time_s, { step_s, exact }) {
		const mean_s = (time_s[time_s.length - 1] - time_s[0]) / (time_s.length - 1);
		const usual_s = exact ? step_s : mean_s;
		return [...time_s].map((time, i) => i > 0 && usual_s > 0 && time - time_s[i - 1] > 2.5 * usual_s);
	}
	function lengthOf({ x_m, y_m, isGap }) {
		let sum = 0;
		for (let i = 1; i < x_m.length; i++) if (!isGap[i]) sum += Math.hypot(x_m[i] - x_m[i - 1], y_m[i] - y_m[i - 1]);
		return sum;
	}
	function pointAt({ time_s }, at_s) {
		const [start, end] = [time_s[0], time_s[time_s.length - 1]];
		const near_s = gapFactor * (end - start) / (time_s.length - 1);
		if (!(at_s >= start - near_s && at_s <= end + near_s)) return null;
		let [low, high] = [0, time_s.length - 1];
		while (low < high) {
			const middle = low + high + 1 >> 1;
			if (time_s[middle] <= at_s) low = middle;
			else high = middle - 1;
		}
		return low;
	}
	// src/quality/report/timeline/path-map.ts
	const reach_px = 24;
	const speedColours = [
		[
			66,
			96,
			214
		],
		[
			24,
			158,
			160
		],
		[
			224,
			176,
			0
		]
	];
	var PathMap = class {
		element;
		#path;
		#marks;
		#canvas;
		#dot = h("div", {
			class: "path-dot",
			hidden: true
		});
		#reading = h("span", { class: "reading" });
		#range;
		#colouring = "speed";
		#pixels = [];
		#drawn = null;
		constructor({ path, marks, onPoint, onSeek }) {
			this.#path = path;
			this.#marks = marks;
			this.#range = [Math.min(...path.speed_mps), Math.max(...path.speed_mps)];
			const [slowest, fastest] = this.#range.map((speed) => number(speed, 2));
			const about = `Path of ${shortNumber(lengthOf(path))} m from ${path.stream}, speed ${slowest} to ${fastest} m/s`;
			this.#canvas = h("canvas", {
				class: "path-canvas",
				role: "img",
				"aria-label": about
			});
			this.element = h("figure", { class: "path-map" }, h("div", { class: "path-plot" }, this.#canvas, this.#dot), h("figcaption", {}, this.#switch(), h("span", {
				class: "path-legend",
				"aria-hidden": "true"
			}, `${slowest} `, h("i"), ` ${fastest} m/s`), this.#reading));
			this.#canvas.addEventListener("pointermove", (event) => onPoint(this.#timeAt(event)));
			this.#canvas.addEventListener("pointerleave", () => onPoint(null));
			this.#canvas.addEventListener("click", (event) => {
				const time_s = this.#timeAt(event);
				if (time_s !== null) onSeek?.(time_s);
			});
		}
		#switch() {
			if (this.#marks.length === 0) return null;
			const buttons = ["speed", "flags"].map((colouring) => {
				const choose = () => {
					this.#colouring = colouring;
					for (const each of buttons) each.setAttribute("aria-pressed", String(each === button));
					if (this.#drawn !== null) this.draw(...this.#drawn);
				};
				const button = h("button", {
					type: "button",
					class: "quiet",
					"aria-pressed": String(colouring === this.#colouring),
					on: { click: choose }
				}, colouring === "speed" ? "Speed" : "Flags");
				return button;
			});
			return h("span", {
				role: "group",
				"aria-label": "Colour of the path"
			}, buttons);
		}
		draw(view, palette, chosen) {
			this.#drawn = [
				view,
				palette,
				chosen
			];
			const canvas = surface(this.#canvas);
			if (canvas === null) return;
			const scale = this.#place(canvas);
			this.element.classList.toggle("is-flags", this.#colouring === "flags");
			const { context } = canvas;
			context.lineCap = "round";
			const { time_s, isGap } = this.#path;
			const marked = this.#colouring === "flags" ? markFinder(this.#marks, chosen) : null;
			for (let i = 1; i < time_s.length; i++) {
				if (isGap[i]) continue;
				const mark = marked?.(time_s[i - 1], time_s[i]);
				context.strokeStyle = this.#colour(i, palette, mark);
				context.lineWidth = mark === void 0 ? 2.5 : 5;
				context.globalAlpha = time_s[i] >= view.from && time_s[i - 1] <= view.to ? 1 : .25;
				context.beginPath();
				context.moveTo(...this.#pixels[i - 1]);
				context.lineTo(...this.#pixels[i]);
				context.stroke();
			}
			context.globalAlpha = 1;
			this.#drawEnds(context, palette);
			drawScale(canvas, palette, scale);
			if (this.#path.isNorthUp) drawNorth(canvas, palette);
		}
		#place({ width, height }) {
			const { x_m, y_m } = this.#path;
			const [left, right, bottom, top] = [
				Math.min(...x_m),
				Math.max(...x_m),
				Math.min(...y_m),
				Math.max(...y_m)
			];
			const scale = Math.min((width - 52) / Math.max(1e-9, right - left), (height - 52) / Math.max(1e-9, top - bottom));
			this.#pixels = [...x_m].map((x, i) => [width / 2 + (x - (left + right) / 2) * scale, height / 2 - (y_m[i] - (bottom + top) / 2) * scale]);
			return scale;
		}
		#colour(i, palette, mark) {
			if (mark !== void 0) return palette[mark.severity === "blocking" ? "reject-fill" : "review-fill"];
			if (this.#colouring === "flags") return palette["line-strong"];
			const [slowest, fastest] = this.#range;
			return `rgb(${speedColour(fastest > slowest ? (this.#path.speed_mps[i] - slowest) / (fastest - slowest) : 0).join(" ")})`;
		}
		#drawEnds(context, palette) {
			context.font = canvasFont();
			context.fillStyle = palette.soft;
			for (const [text, [x, y]] of [["start", this.#pixels[0]], ["end", this.#pixels.at(-1)]]) {
				context.beginPath();
				context.arc(x, y, 3.5, 0, 2 * Math.PI);
				context.fill();
				context.fillText(text, x + 6, y - 5);
			}
		}
		read(time_s) {
			const at = time_s === null ? null : pointAt(this.#path, time_s);
			const pixel = at === null ? void 0 : this.#pixels[at];
			this.#dot.hidden = pixel === void 0;
			this.#reading.textContent = at === null ? "" : `${number(this.#path.speed_mps[at], 2)} m/s`;
			if (pixel !== void 0) this.#dot.style.transform = `translate(${pixel[0]}px, ${pixel[1]}px)`;
		}
		#timeAt({ offsetX, offsetY }) {
			let [best, distance] = [-1, reach_px];
			for (const [i, [x, y]] of this.#pixels.entries()) {
				const away = Math.hypot(x - offsetX, y - offsetY);
				if (away < distance) [best, distance] = [i, away];
			}
			return best < 0 ? null : this.#path.time_s[best];
		}
	};
	function speedColour(share) {
		const place = Math.min(1, Math.max(0, share)) * (speedColours.length - 1);
		const at = Math.min(speedColours.length - 2, Math.floor(place));
		return speedColours[at].map((from, c) => Math.round(from + (speedColours[at + 1][c] - from) * (place - at)));
	}
	function drawScale({ context, width, height }, palette, scale) {
		const longest_m = width / 3 / scale;
		const power = 10 ** Math.floor(Math.log10(longest_m));
		const length_m = power * ([
			5,
			2,
			1
		].find((step) => step * power <= longest_m) ?? 1);
		const [x, y] = [8, height - 8];
		context.strokeStyle = palette.soft;
		context.fillStyle = palette.soft;
		context.lineWidth = 1.5;
		context.beginPath();
		context.moveTo(x, y - 4);
		context.lineTo(x, y);
		context.lineTo(x + length_m * scale, y);
		context.lineTo(x + length_m * scale, y - 4);
		context.stroke();
		const text = length_m >= 1e3 ? `${length_m / 1e3} km` : `${shortNumber(length_m)} m`;
		context.font = canvasFont();
		context.fillText(text, x + 4, y - 6);
	}
	function drawNorth({ context, width }, palette) {
		const x = width - 14;
		context.fillStyle = palette.soft;
		context.beginPath();
		context.moveTo(x, 6);
		context.lineTo(x - 5, 20);
		context.lineTo(x, 16);
		context.lineTo(x + 5, 20);
		context.closePath();
		context.fill();
		context.font = canvasFont();
		context.fillText("N", x - 4, 32);
	}
	// src/quality/report/timeline/pose-track.ts
	function toTrack(pose) {
		const time_s = Float64Array.from(pose.time_s);
		const axes = [
			pose.x,
			pose.y,
			pose.z
		].map((axis) => Float64Array.from(axis));
		const places = new Float64Array(3 * time_s.length);
		const starts = new Set(pose.starts);
		const sign = pose.z_axis === "down" ? -1 : 1;
		let length = 0;
		for (let i = 0; i < time_s.length; i++) {
			places.set([
				axes[0][i],
				sign * axes[1][i],
				sign * axes[2][i]
			], 3 * i);
			if (i > 0 && !starts.has(i)) length += Math.hypot(...axes.map((axis) => axis[i] - axis[i - 1]));
		}
		const unit = pose.unit ?? "units";
		return {
			pose,
			time_s,
			places,
			speed: computeSpeeds(time_s, axes),
			starts,
			length,
			unit
		};
	}
	function orientationAt({ pose }, i) {
		const turn = pose.quaternions?.[i] ?? null;
		if (turn === null) return null;
		const [x, y, z, w] = turn;
		return pose.z_axis === "up" ? [
			x,
			y,
			z,
			w
		] : [
			w,
			-z,
			y,
			-x
		];
	}
	function boxOf(tracks) {
		const { low, high } = extremesOf(tracks);
		const extent = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
		const ground = low[2] >= -.05 * extent && low[2] <= 2 * extent ? 0 : low[2];
		const bottom = Math.min(ground, low[2]);
		const size = Math.max(extent, high[2] - bottom) || 1;
		return {
			low,
			centre: [
				(low[0] + high[0]) / 2,
				(low[1] + high[1]) / 2,
				(bottom + high[2]) / 2
			],
			size,
			ground,
			step: roundStep(size / 8)
		};
	}
	function extremesOf(tracks) {
		const low = [
			0,
			0,
			0
		];
		const high = [
			0,
			0,
			0
		];
		for (const axis of [
			0,
			1,
			2
		]) {
			let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
			for (const { places } of tracks) for (let i = axis; i < places.length; i += 3) {
				if (places[i] < from) from = places[i];
				if (places[i] > to) to = places[i];
			}
			if (from <= to) [low[axis], high[axis]] = [from, to];
		}
		return {
			low,
			high
		};
	}
	function roundStep(minStep) {
		const power = 10 ** Math.floor(Math.log10(minStep));
		return power * ([
			1,
			2,
			5
		].find((step) => step * power >= minStep) ?? 10);
	}
	const fastestOf = (tracks) => tracks.reduce((most, { speed }) => speed.reduce((a, b) => Math.max(a, b), most), 0);
	const formatLength = (value, unit) => `${number(value, 3)} ${unit}`;
	function describeTrack({ pose, length, speed, unit }) {
		if (length === 0) return `${pose.label} does not move`;
		const range = [
			"x",
			"y",
			"z"
		].map((axis) => {
			const values = pose[axis];
			const [from, to] = values.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [values[0], values[0]]);
			return `${axis} ${number(from, 3)} to ${number(to, 3)}`;
		});
		const fastest = speed.reduce((a, b) => Math.max(a, b), 0);
		return `${pose.label}: path of ${formatLength(length, unit)}, ${range.join(", ")}, up to ${number(fastest, 2)} ${unit}/s`;
	}
	// src/quality/report/timeline/view.ts
	function domainOf(duration_s, axes, marks) {
		const length = duration_s > 0 && Number.isFinite(duration_s) ? duration_s : 0;
		let [from, to] = [0, length];
		for (const axis of axes) {
			if (axis.from < from) from = axis.from;
			if (axis.to > to && Number.isFinite(axis.to)) to = axis.to;
		}
		from = Math.max(from, -.05 * length);
		for (const { from_s, to_s } of marks) {
			if (!(from_s > -2 * length && to_s < 3 * length)) continue;
			if (from_s < from) from = from_s;
			if (to_s > to) to = to_s;
		}
		return {
			from,
			to: to > from ? to : from + 1
		};
	}
	const maxZoom = 2e3;
	var View = class {
		domain;
		from;
		to;
		width = 1;
		constructor(domain) {
			this.domain = domain;
			this.from = domain.from;
			this.to = domain.to;
		}
		get isWhole() {
			return this.to - this.from >= (this.domain.to - this.domain.from) * .9999;
		}
		x(time_s) {
			return (time_s - this.from) / (this.to - this.from) * this.width;
		}
		time(x) {
			return this.from + x / this.width * (this.to - this.from);
		}
		set(from, to) {
			const { domain } = this;
			const whole = domain.to - domain.from;
			const span = Math.min(whole, Math.max(whole / maxZoom, to - from));
			this.from = Math.min(domain.to - span, Math.max(domain.from, (from + to) / 2 - span / 2));
			this.to = this.from + span;
		}
		zoom(factor, around) {
			const span = (this.to - this.from) * factor;
			const share = (around - this.from) / (this.to - this.from);
			this.set(around - share * span, around + (1 - share) * span);
		}
		contains(time_s) {
			return time_s >= this.from && time_s <= this.to;
		}
		follow(time_s) {
			const span = this.to - this.from;
			if (!this.contains(time_s)) this.set(time_s - .05 * span, time_s + .95 * span);
		}
	};
	const tickSteps = [
		1,
		2,
		5
	];
	function ticks(view, spacing_px = 90) {
		const minStep = (view.to - view.from) / view.width * spacing_px;
		const power = 10 ** Math.floor(Math.log10(minStep));
		const step = power * (tickSteps.find((each) => each * power >= minStep) ?? 10);
		const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
		const out = [];
		for (let i = Math.ceil(view.from / step - 1e-9); i * step <= view.to + 1e-9 * step; i++) out.push([i * step, (i * step).toFixed(digits)]);
		return out;
	}
	// src/quality/report/timeline/timeline.ts
	const minDrag_px = 4;
	const keyHelp = "Timeline. Arrow keys move the cursor, plus and minus zoom, zero shows the whole episode, n and p go to the next and previous mark.";
	var Timeline = class {
		element;
		view;
		flags;
		marks;
		hasLength;
		redraw;
		cursor = null;
		time_s = null;
		#groups;
		#companions = new Set();
		#onSeek;
		#axis = h("canvas", {
			class: "axis-canvas",
			"aria-hidden": "true"
		});
		#overview = h("canvas", {
			class: "overview",
			"aria-hidden": "true"
		});
		#clock = h("span", { class: "clock" });
		#line = h("div", {
			class: "cursor",
			hidden: true
		});
		#playhead = h("div", {
			class: "playhead",
			hidden: true
		});
		#selection = h("div", {
			class: "selection",
			hidden: true
		});
		#status = h("p", {
			class: "visually-hidden",
			role: "status",
			"aria-live": "polite"
		});
		#field;
		#observer;
		#palette = null;
		#chosen = null;
		#drag = null;
		constructor(options) {
			this.flags = options.flags;
			this.marks = listMarks(options.flags);
			this.view = new View(domainOf(options.duration_s, options.axes, this.marks));
			this.hasLength = options.duration_s > 0;
			this.#onSeek = options.onSeek;
			this.redraw = eachFrame(() => this.draw());
			this.#groups = options.groups(this.marks, (mark) => this.choose(mark.flag, mark));
			this.#field = h("div", { class: "field-lanes" }, this.#groups.map((group) => groupElement(group, this.redraw)));
			this.element = this.#build(options);
			this.#observer = new ResizeObserver(this.redraw);
			this.#observer.observe(this.element);
			this.#listen();
		}
		get lanes() {
			return this.#groups.flatMap(({ lanes }) => lanes);
		}
		attach(companion) {
			this.#companions.add(companion);
			this.redraw();
			return () => void this.#companions.delete(companion);
		}
		#build({ omitted = [], onSeek }) {
			const button = (label, text, click) => h("button", {
				type: "button",
				class: "quiet",
				title: label,
				"aria-label": label,
				on: { click }
			}, text);
			const zoomButtons = h("span", { class: "zoom-buttons" }, button("Zoom in", "+", () => this.zoom(.5)), button("Zoom out", "−", () => this.zoom(2)), button("Whole episode", "Whole", () => this.showWhole()));
			const overlay = [
				this.#playhead,
				this.#line,
				this.#selection
			];
			return h("div", {
				class: "timeline",
				...onSeek === void 0 ? {
					tabindex: 0,
					role: "group",
					"aria-label": keyHelp
				} : {}
			}, h("div", { class: "timeline-head" }, h("div", { class: "lane-label" }, this.#clock, zoomButtons), h("div", { class: "lane-plot" }, this.#overview, this.#axis)), h("div", { class: "timeline-body" }, this.#field, h("div", {
				class: "overlay",
				"aria-hidden": "true"
			}, overlay)), this.#status, omitted.length > 0 ? h("p", { class: "faint" }, `Not shown: ${omitted.join("; ")}.`) : null);
		}
		close() {
			this.#observer.disconnect();
		}
		refreshTheme() {
			this.#palette = null;
			this.draw();
		}
		draw() {
			this.#palette ??= readPalette(this.element);
			this.view.width = this.#axis.clientWidth || 1;
			this.#drawAxis(this.#palette);
			this.#drawOverview(this.#palette);
			for (const each of [...this.lanes, ...this.#companions]) each.draw(this.view, this.#palette, this.#chosen);
			this.moveCursor(this.cursor);
		}
		#drawAxis(palette) {
			const canvas = surface(this.#axis);
			if (canvas === null) return;
			const { context, height, width } = canvas;
			context.font = canvasFont();
			for (const [time_s, text] of ticks(this.view)) {
				const x = this.view.x(time_s);
				context.fillStyle = palette["line-strong"];
				context.fillRect(x, height - 5, 1, 5);
				context.fillStyle = palette.faint;
				const size = context.measureText(`${text} s`).width;
				context.fillText(`${text} s`, Math.min(width - size, Math.max(0, x - size / 2)), height - 8);
			}
		}
		#drawOverview(palette) {
			const canvas = surface(this.#overview);
			if (canvas === null) return;
			const { context, width, height } = canvas;
			const { from, to } = this.view.domain;
			const x = (time_s) => (time_s - from) / (to - from) * width;
			context.fillStyle = palette.sunken;
			context.fillRect(0, 0, width, height);
			for (const { severity, from_s, to_s } of this.marks) {
				const isBlocking = severity === "blocking";
				context.fillStyle = palette[isBlocking ? "reject-fill" : "review-fill"];
				const length = Math.max(2, x(to_s) - x(from_s));
				context.fillRect(x(from_s) - .5, isBlocking ? 0 : height / 2, length, height / 2);
			}
			if (this.view.isWhole) return;
			const [left, right] = [x(this.view.from), x(this.view.to)];
			context.fillStyle = palette.accent;
			context.globalAlpha = .16;
			context.fillRect(left, 0, right - left, height);
			context.globalAlpha = 1;
			context.strokeStyle = palette.accent;
			context.strokeRect(left + .5, .5, Math.max(2, right - left - 1), height - 1);
		}
		moveCursor(time_s) {
			this.cursor = time_s;
			this.#showCursor();
		}
		showTime(time_s) {
			this.time_s = time_s;
			const { from } = this.view;
			this.view.follow(time_s);
			if (this.view.from !== from) this.redraw();
			this.#showCursor();
		}
		#showCursor() {
			this.#place(this.#line, this.cursor);
			this.#place(this.#playhead, this.time_s);
			const time_s = this.cursor ?? this.time_s;
			this.#clock.textContent = time_s === null ? "" : `${time_s.toFixed(3)} s`;
			for (const each of [...this.lanes, ...this.#companions]) each.read?.(time_s);
		}
		#place(line, time_s) {
			const x = time_s === null ? -1 : this.view.x(time_s);
			line.hidden = x < 0 || x > this.view.width;
			line.style.transform = `translateX(${x}px)`;
		}
		zoom(factor) {
			const { view } = this;
			const visible = [this.cursor, this.time_s].find((time_s) => time_s !== null && view.contains(time_s));
			view.zoom(factor, visible ?? (view.from + view.to) / 2);
			this.redraw();
		}
		showWhole() {
			this.#chosen = null;
			this.view.set(this.view.domain.from, this.view.domain.to);
			this.redraw();
		}
		choose(flag, mark) {
			this.#chosen = flag;
			if (mark !== void 0) {
				const whole = this.view.domain.to - this.view.domain.from;
				const room = Math.max((mark.to_s - mark.from_s) * 1.5, whole * .04);
				this.view.set(mark.from_s - room, mark.to_s + room);
				if (this.#onSeek === void 0) this.cursor = (mark.from_s + mark.to_s) / 2;
				else this.#onSeek(mark.from_s);
				this.#status.textContent = `${formatSpan(mark)}, ${mark.stream}`;
			}
			this.redraw();
		}
		reveal(mark) {
			const isMarked = (marks) => marks.some(({ from_s, stream, dimension }) => from_s === mark.from_s && stream === mark.stream && dimension === mark.dimension);
			(this.lanes.find((each) => !(each instanceof FlagLane) && isMarked(each.marks ?? []))?.element ?? this.element).scrollIntoView({ block: "center" });
		}
		step(direction) {
			const middle = ({ from_s, to_s }) => (from_s + to_s) / 2;
			const sorted = this.marks.toSorted((a, b) => a.from_s - b.from_s);
			const now = this.cursor ?? Number.NEGATIVE_INFINITY;
			const mark = (direction > 0 ? sorted.find((mark) => middle(mark) > now + 1e-6) : sorted.findLast((mark) => middle(mark) < now - 1e-6)) ?? sorted.at(direction > 0 ? 0 : -1);
			if (mark !== void 0) this.choose(mark.flag, mark);
		}
		#listen() {
			const field = this.#field;
			this.element.addEventListener("keydown", (event) => this.key(event));
			field.addEventListener("pointermove", (event) => this.#point(event));
			field.addEventListener("pointerleave", () => this.#drag === null && this.moveCursor(null));
			field.addEventListener("pointerdown", (event) => this.#press(event));
			field.addEventListener("pointerup", (event) => this.#release(event));
			field.addEventListener("pointercancel", () => this.#endDrag());
			field.addEventListener("dblclick", (event) => this.#inPlot(event) && this.showWhole());
			field.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
			const drag = (canvas, act) => {
				canvas.addEventListener("pointerdown", (event) => {
					canvas.setPointerCapture(event.pointerId);
					act(event);
				});
				canvas.addEventListener("pointermove", (event) => event.buttons === 1 && act(event));
			};
			drag(this.#overview, (event) => this.#pan(event));
			if (this.#onSeek !== void 0) drag(this.#axis, (event) => this.#onSeek?.(this.#timeAt(event)));
		}
		#timeAt({ clientX }) {
			const { left, width } = this.#axis.getBoundingClientRect();
			return this.view.time(Math.min(width, Math.max(0, clientX - left)));
		}
		#inPlot({ clientX }) {
			return clientX >= this.#axis.getBoundingClientRect().left;
		}
		#point(event) {
			if (!this.#inPlot(event) && this.#drag === null) return;
			const now = this.#timeAt(event);
			this.moveCursor(now);
			if (this.#drag === null) return;
			const [from, to] = [Math.min(this.#drag, now), Math.max(this.#drag, now)];
			this.#selection.hidden = false;
			this.#selection.style.left = `${this.view.x(from)}px`;
			this.#selection.style.width = `${this.view.x(to) - this.view.x(from)}px`;
		}
		#press(event) {
			const isControl = event.target instanceof Element && event.target.closest("button, label") !== null;
			if (event.button !== 0 || event.pointerType === "touch" || !this.#inPlot(event) || isControl) return;
			this.#drag = this.#timeAt(event);
			this.#field.setPointerCapture(event.pointerId);
		}
		#release(event) {
			if (this.#drag === null) return;
			const [start, end] = [this.#drag, this.#timeAt(event)];
			this.#endDrag();
			if (Math.abs(this.view.x(end) - this.view.x(start)) > minDrag_px) {
				this.view.set(Math.min(start, end), Math.max(start, end));
				this.redraw();
			} else this.#onSeek?.(end);
		}
		#endDrag() {
			this.#drag = null;
			this.#selection.hidden = true;
		}
		#wheel(event) {
			if (!this.#inPlot(event)) return;
			const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
			if (event.ctrlKey || event.metaKey) this.view.zoom(Math.exp(event.deltaY * .004), this.#timeAt(event));
			else if (isSideways && !this.view.isWhole) {
				const by = (event.deltaX || event.deltaY) / this.view.width * (this.view.to - this.view.from);
				this.view.set(this.view.from + by, this.view.to + by);
			} else return;
			event.preventDefault();
			this.redraw();
		}
		#pan({ clientX }) {
			const { left, width } = this.#overview.getBoundingClientRect();
			const { from, to } = this.view.domain;
			const middle = from + (clientX - left) / width * (to - from);
			const half = (this.view.to - this.view.from) / 2;
			this.view.set(middle - half, middle + half);
			this.redraw();
		}
		key(event) {
			if (this.#onSeek !== void 0 || event.altKey || event.ctrlKey || event.metaKey) return;
			const action = {
				ArrowRight: () => this.#moveBy(event.shiftKey ? .1 : .01),
				ArrowLeft: () => this.#moveBy(event.shiftKey ? -.1 : -.01),
				"+": () => this.zoom(.5),
				"=": () => this.zoom(.5),
				"-": () => this.zoom(2),
				0: () => this.showWhole(),
				n: () => this.step(1),
				p: () => this.step(-1)
			}[event.key];
			if (action === void 0) return;
			event.preventDefault();
			action();
		}
		#moveBy(fraction) {
			const { domain, from, to } = this.view;
			const span = to - from;
			const start = this.cursor ?? (fraction > 0 ? from : to);
			const next = Math.min(domain.to, Math.max(domain.from, start + fraction * span));
			if (next < from || next > to) this.view.set(next - span / 2, next + span / 2);
			this.cursor = next;
			this.#status.textContent = `${next.toFixed(3)} s`;
			this.redraw();
		}
	};
	exports.EventLane = EventLane;
	exports.PathMap = PathMap;
	exports.SeriesLane = SeriesLane;
	exports.SpanLane = SpanLane;
	exports.Timeline = Timeline;
	exports.View = View;
	exports.boxOf = boxOf;
	exports.bucketAt = bucketAt;
	exports.canonicalJson = canonicalJson;
	exports.canvasFont = canvasFont;
	exports.caseTitle = caseTitle;
	exports.checkRows = checkRows;
	exports.checkSeal = checkSeal;
	exports.checkTitle = checkTitle;
	exports.codeTitle = codeTitle;
	exports.count = count;
	exports.decisionWords = decisionWords;
	exports.decisions = decisions;
	exports.describeSetVerdict = describeSetVerdict;
	exports.describeTrack = describeTrack;
	exports.domainOf = domainOf;
	exports.duration = duration;
	exports.eachFrame = eachFrame;
	exports.fastestOf = fastestOf;
	exports.findPath = findPath;
	exports.flagGroup = flagGroup;
	exports.flagGroups = flagGroups;
	exports.formatLength = formatLength;
	exports.formatSpan = formatSpan;
	exports.glyph = glyph;
	exports.glyphPaths = glyphPaths;
	exports.groupElement = groupElement;
	exports.h = h;
	exports.kindTitle = kindTitle;
	exports.laneRow = laneRow;
	exports.layerTitle = layerTitle;
	exports.markFinder = markFinder;
	exports.maxMarks = maxMarks;
	exports.measureText = measureText;
	exports.measuredInShort = measuredInShort;
	exports.metricTitle = metricTitle;
	exports.number = number;
	exports.orientationAt = orientationAt;
	exports.paintMark = paintMark;
	exports.percent = percent;
	exports.plural = plural;
	exports.pointAt = pointAt;
	exports.reasonText = reasonText;
	exports.requirementTitle = requirementTitle;
	exports.score = score;
	exports.scoredWeight = scoredWeight;
	exports.sentenceCase = sentenceCase;
	exports.shortNumber = shortNumber;
	exports.signalGroups = signalGroups;
	exports.speedColour = speedColour;
	exports.splitLanes = splitLanes;
	exports.spread = spread;
	exports.strategyTitle = strategyTitle;
	exports.surface = surface;
	exports.targetTitle = targetTitle;
	exports.toTrack = toTrack;
	exports.unitLabel = unitLabel;
	exports.valueAt = valueAt;
	exports.words = words;
	return exports;
})({});
Object.assign(assay, shared);
