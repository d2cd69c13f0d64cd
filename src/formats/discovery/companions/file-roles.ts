import { splitPath } from '../../shared/file-names.ts';

const texts = /\.(txt|json|jsonl|ndjson|ya?ml|csv|tsv|xml|srt|vtt|gpx|toml)$/i;
const settings = /\.(ya?ml|toml|xml)$/i;
const arrays =
  /\.(np[yz]|pkl|pickle|parquet|feather|arrow|h5|hdf5|mat|svo2?|rrd|tdms|mcap|bag|db3|ulg|tlog|vrs|msgpack)$|(^|\/|--)[rq]log(\.(bz2|zst))?$/i;
const scans = /\.(pcd|ply|las|laz|e57|bin|dat|raw)$/i;
const previews = /\.(svgz?|eps|ai|xcf|thm|lrv|lrf)$/i;

/** True if the extension is that of a text format (txt, json, yaml, csv, xml, srt, …). */
export const isText = (path: string): boolean => texts.test(path);
/**
 * True if the extension is yaml, toml or xml: such a text usually configures a program, and may name files without
 * belonging to them.
 */
export const isSettings = (path: string): boolean => settings.test(path);
/** True if the extension is that of arrays or of a recording (npy, pkl, parquet, hdf5, mat, mcap, …). */
export const isArrays = (path: string): boolean => arrays.test(path);
/**
 * True if the extension is that of a point cloud (pcd, ply, las), or one that is also used for other data (bin, dat,
 * raw).
 */
export const isScan = (path: string): boolean => scans.test(path);
/**
 * True if the extension is that of pictures that no recording uses (svg, xcf, …), or of previews that cameras write
 * beside a video (thm, lrv).
 */
export const isPreview = (path: string): boolean => previews.test(path);

const derivedWords =
  /(^|[^a-z])(calib\w*|intrinsics?|extrinsics?|distortion|camera_?(info|matrix|params?|models?)|stats?|statistics|norm\w*|means?|stds?|scalers?|configs?|cfg|settings?|params?|parameters|hparams?|hyperparam\w*|args|options|models?|weights?|checkpoints?|ckpt\w*|trainer|optimizer|scheduler|loss\w*|metrics?|eval\w*|vocab\w*|tokenizer|embeddings?|features?|caches?|index|splits?|package|lock|tsconfig|manifest|environment|requirements|palettes?|colou?rs?|class(es)?|categor(y|ies)|names|labels?_?(map|names|list)|id2label|label2id|launch)([^a-z]|$)/i;

/** True for a file that by its name holds calibrations, statistics, settings, models, class names or an index. */
export const isDerived = (path: string): boolean => derivedWords.test(splitPath(path).stem);

const remarkWords =
  /(^|[^a-z])(logs?|readme|notes?|remarks?|comments?|debug|errors?|stdout|stderr|output)([^a-z]|$)/i;

/** True for a text that by its name holds remarks or the output of a program. */
export const isRemarkName = (path: string): boolean => remarkWords.test(splitPath(path).stem);

const taskWords = /(^|[^a-z])(instructions?|language|task|prompt|goal|caption|narrations?)([^a-z]|$)/i;

/**
 * True if the name of a field contains a word for the task of an episode (task, prompt, goal, …); false above 200
 * characters.
 */
export const isTaskName = (name: string): boolean => name.length <= maxNameLength && taskWords.test(name);

/** Longer names match nothing, because patterns could take quadratic time on them. */
const maxNameLength = 200;

const signalNames =
  /(^|[^a-z])(instructions?|lang|language|tasks?|prompts?|goals?|captions?|narrations?|actions?|states?|joints?|poses?|imu|gps|gnss|odom(etry)?|timestamps?|trajector(y|ies)|labels?|annotations?|qpos|qvel|bbox(es)?|boxes|keypoints?)([^a-z]|$)/i;

/**
 * True if the name of a file or field contains a word for a signal, task or label (action, state, imu, bbox, …); false
 * above 200 characters.
 */
export const isSignalName = (name: string): boolean => name.length <= maxNameLength && signalNames.test(name);

const listingKeys =
  /^(id|idx|index|no|num|row|frame(_?(id|index|idx|no|number))?|(file|image|img|picture|video|dst|src|source)?_?(name|path|file)s?|file_?ref|files?|images?|img|pictures?|videos?|uri|url|link|href|src|sizes?|purpose|source(_\w+)?|size|bytes|length|offset|counts?|message_?count|frequency|topics?|serialization_format|sha_?\d*|md5|crc\d*|hash|checksum|etag|oid|blob|licen[cs]es?|attribution|author|credit|copyright|date\w*|created\w*|modified\w*|uploaded\w*|mtime|ctime|type|mime(_?type)?|format|ext(ension)?|codec\w*|fps|frame_?rate|width|height|channels|pix_fmt|duration\w*|pts\w*|dts\w*|best_effort_timestamp\w*|time_base|key_?frame|pict_type|pkt_\w*|commit|repo\w*|version|split|subset|fold|kind|mode)$/i;

/**
 * True if a field lists files or describes a container, and says nothing about what they show (id, path, size, fps, …).
 */
export const isListingKey = (name: string): boolean =>
  name.length <= maxNameLength && listingKeys.test(name.trim().replace(/[- ]/g, '_'));

const trainingKeys =
  /^(epochs?|step_?time|lr|learning_rate|(train|val|test|eval)[_/].*|(.*[_/])?(loss|acc|accuracy|map|precision|recall|reward_mean)([_/@(].*)?|cpu.*|gpu.*|ram.*|mem(ory)?([_%].*)?)$/i;

/** True if a field belongs to a log of training or of a machine's load (epoch, loss, val/…, gpu…). */
export const isTrainingKey = (name: string): boolean =>
  name.length <= maxNameLength && trainingKeys.test(name.trim());
