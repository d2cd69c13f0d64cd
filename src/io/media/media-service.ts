import { AssayError } from '#core';
import type { CameraEvidence } from '#core/episode';
import { addHelperTime, type ChildEnd, type ChildLimits, GuardedChild } from '#io/processes';
import { type Decoder, keepIdleDecoder, takeIdleDecoder } from './idle-decoders.ts';
import type {
  CameraRequest,
  DecodeRequest,
  Film,
  FilmFacts,
  FilmRequest,
  FrameOutcome,
  FramesRequest,
  MediaOptions,
  MediaService,
  MissingParts,
  NoPicture,
  PartsRequest,
  Picture,
} from './media-port.ts';
import { noEvidence } from './no-evidence.ts';
import type {
  Batch,
  BatchRequest,
  FilmAnswer,
  FromChild,
  MediaAnswer,
  MediaRequest,
  ToChild,
} from './protocol.ts';

const defaultProgram = new URL('./child/main.ts', import.meta.url);

/** Number of requests sent to a child in advance, so that it never waits for the next one. */
const tasksPerChild = 3;
/** Number of queued tasks searched for one on the file that a child has already open. */
const lookahead = 32;
/**
 * Interval in ms between checks for signs of life. Checks are counted instead of reading the clock, because this
 * process may have been suspended.
 */
const silenceCheck_ms = 1000;
/** Consecutive children that may die before they are ready until all requests fail. */
const maxFailedStarts = 3;

interface Slot {
  child: Decoder | null;
  ready: boolean;
  file: string;
  readonly tasks: MediaTask[];
  timer: NodeJS.Timeout | null;
  silent_ms: number;
}

/**
 * Creates a service that decodes, measures and renders pictures and video in child processes, none of which is started
 * before the first request. A request is retried once if its child died from a cause that may lie outside or in an
 * earlier file. `program`: another child program, for tests.
 */
export function createMediaService(options: MediaOptions = {}, program?: URL): MediaService {
  return new Media(options, program);
}

class Media implements MediaService {
  readonly #limits: ChildLimits;
  readonly #silentLimit_s: number;
  readonly #onAlive: () => void;
  readonly #program: URL;
  readonly #keepIdle: boolean;
  readonly #slots: Slot[];
  readonly #queue: MediaTask[] = [];
  #nextId = 1;
  #failedStarts = 0;
  #closed = false;

  constructor(options: MediaOptions, program: URL | undefined) {
    this.#limits = {
      memory_mb: options.memory_limit_mb ?? 1024,
      cpu_s: options.cpu_limit_s ?? 300,
      idle_s: options.idle_limit_s ?? 900,
    };
    this.#silentLimit_s = options.silent_limit_s ?? 900;
    this.#onAlive = options.onAlive ?? (() => {});
    this.#program = program ?? defaultProgram;
    this.#keepIdle = options.keep_idle ?? true;
    this.#slots = Array.from({ length: Math.max(1, options.children ?? 2) }, () => ({
      child: null,
      ready: false,
      file: '',
      tasks: [],
      timer: null,
      silent_ms: 0,
    }));
  }

  examine(request: CameraRequest): Promise<CameraEvidence> {
    return new Promise((resolve, reject) => {
      this.#add({
        message: { id: this.#nextId++, kind: 'examine', request },
        file: mainFile(request),
        deaths: 0,
        answer: (answer) => resolve(answer as CameraEvidence),
        fault: (reason) => resolve(noEvidence('not_measured', reason)),
        fail: reject,
      });
    });
  }

  examineParts(request: PartsRequest): Promise<CameraEvidence | MissingParts> {
    return new Promise((resolve, reject) => {
      this.#add({
        message: { id: this.#nextId++, kind: 'parts', request },
        file: mainFile(request),
        deaths: 0,
        answer: (answer) => resolve(answer as CameraEvidence | MissingParts),
        // A decoder that fails on missing (zero) bytes says nothing about the file.
        fault: () => resolve({ wants: null }),
        fail: reject,
      });
    });
  }

  framesAt(request: FramesRequest): Promise<readonly (Picture | NoPicture)[]> {
    return new Promise((resolve) => {
      const none = (reason: string) => resolve(request.times_s.map(() => ({ jpeg: null, reason })));
      this.#add({
        message: { id: this.#nextId++, kind: 'frames', request },
        file: mainFile(request),
        deaths: 0,
        answer: (answer) => resolve(answer as readonly (Picture | NoPicture)[]),
        fault: none,
        fail: ({ message }) => none(message),
      });
    });
  }

  film(request: FilmRequest): Promise<Film> {
    return this.#requestFilm<Film>('film', request);
  }

  filmFacts(request: FilmRequest): Promise<FilmFacts> {
    return this.#requestFilm<FilmFacts>('film-facts', request);
  }

  #requestFilm<Result extends Film | FilmFacts>(
    kind: 'film' | 'film-facts',
    request: FilmRequest,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#add({
        message: { id: this.#nextId++, kind, request },
        file: mainFile(request),
        deaths: 0,
        answer: (answer) => {
          const result = answer as FilmAnswer<Result>;
          if ('unshown' in result) reject(undecodableError(result.unshown));
          else resolve(result);
        },
        fault: (reason) => reject(undecodableError(reason)),
        fail: reject,
      });
    });
  }

  async *decode(request: DecodeRequest, signal?: AbortSignal): AsyncGenerator<readonly FrameOutcome[]> {
    const stream = this.#nextId++;
    let next = this.#batch({ ...request, stream, from: 0 });
    for (let from = 0; ; ) {
      signal?.throwIfAborted();
      const { frames, done, reason } = await next;
      if (reason !== null) throw undecodableError(reason);
      from += frames.length;
      if (!done) next = this.#batch({ ...request, stream, from });
      if (frames.length > 0) yield frames;
      if (done) return;
    }
  }

  #batch(request: BatchRequest): Promise<Batch> {
    const batch = new Promise<Batch>((resolve, reject) => {
      this.#add({
        message: { id: this.#nextId++, kind: 'decode', request },
        file: mainFile(request),
        deaths: 0,
        answer: (answer) => resolve(answer as Batch),
        fault: (reason) => resolve({ frames: [], done: true, reason }),
        fail: reject,
      });
    });
    // The error is thrown where the batch is awaited; it may never be if the consumer stopped.
    batch.catch(() => {});
    return batch;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const task of this.#queue.splice(0)) task.fail(cancelledError());
    await Promise.all(this.#slots.map((slot) => this.#releaseChild(slot)));
  }

  async #releaseChild(slot: Slot): Promise<void> {
    const { child } = slot;
    if (child === null) return;
    if (this.#keepIdle && slot.ready && slot.tasks.length === 0) {
      slot.child = null;
      keepIdleDecoder(child, this.#kind);
      return;
    }
    child.keepParentAlive(true);
    child.kill('decoding was stopped');
    await child.ended;
  }

  /** Key of interchangeable decoders: same program and limits. */
  get #kind(): string {
    return JSON.stringify([this.#program.href, this.#limits]);
  }

  prepare(): void {
    const [slot] = this.#slots;
    if (!this.#closed) slot.child ??= this.#start(slot);
  }

  #add(task: MediaTask): void {
    if (this.#closed) {
      task.fail(cancelledError());
      return;
    }
    this.#queue.push(task);
    this.#dispatch();
  }

  /** Sends queued tasks to the least busy children and starts a child for an empty slot. */
  #dispatch(): void {
    while (this.#queue.length > 0) {
      const slot = this.#slots.reduce((a, b) => (b.tasks.length < a.tasks.length ? b : a));
      if (slot.tasks.length >= tasksPerChild) return;
      const task = this.#nextTask(slot);
      slot.child ??= this.#start(slot);
      slot.tasks.push(task);
      slot.file = task.file;
      slot.child.keepParentAlive(true);
      slot.child.send(task.message);
      if (slot.tasks.length === 1) this.#restartSilenceTimer(slot);
    }
  }

  #nextTask(slot: Slot): MediaTask {
    const end = Math.min(lookahead, this.#queue.length);
    for (let i = 0; i < end; i++) {
      if (this.#queue[i].file === slot.file) return this.#queue.splice(i, 1)[0];
    }
    return this.#queue.shift()!;
  }

  #start(slot: Slot): Decoder {
    const events = {
      onMessage: (message: FromChild) => this.#receive(slot, message),
      onAlive: () => {
        slot.silent_ms = 0;
        this.#onAlive();
      },
      onEnd: (end: ChildEnd) => this.#onChildEnd(slot, child, end),
    };
    const idle = takeIdleDecoder(this.#kind);
    idle?.setEvents(events);
    slot.ready = idle !== null;
    const child = idle ?? new GuardedChild<ToChild, FromChild>(this.#program, this.#limits, events);
    return child;
  }

  /** Restarts the silence timer of a slot. Children check their own limits, but a stopped (SIGSTOP) child cannot. */
  #restartSilenceTimer(slot: Slot): void {
    if (slot.timer !== null) clearInterval(slot.timer);
    slot.timer = null;
    slot.silent_ms = 0;
    const { child } = slot;
    if (slot.tasks.length === 0) {
      child?.keepParentAlive(false);
      return;
    }
    slot.timer = setInterval(() => {
      slot.silent_ms += silenceCheck_ms;
      if (slot.silent_ms > this.#silentLimit_s * 1000) {
        child?.kill(`did not respond for ${this.#silentLimit_s} s`);
      }
    }, silenceCheck_ms);
  }

  #receive(slot: Slot, message: FromChild): void {
    if (message.kind === 'ready') {
      slot.ready = true;
      this.#failedStarts = 0;
      this.#restartSilenceTimer(slot);
      return;
    }
    addHelperTime('media', message.cpu_ms);
    const task = slot.tasks[0];
    if (task?.message.id !== message.id) return;
    slot.tasks.shift();
    this.#restartSilenceTimer(slot);
    if (message.kind === 'answer') task.answer(message.answer);
    else if (message.isMachineFault) task.fail(unfinishedError(task, message.reason));
    else task.fault(message.reason);
    this.#dispatch();
  }

  #onChildEnd(slot: Slot, child: Decoder, { reason: why, retryable }: ChildEnd): void {
    if (slot.child !== child) return;
    const wasReady = slot.ready;
    slot.child = null;
    slot.ready = false;
    slot.file = '';
    const tasks = slot.tasks.splice(0);
    this.#restartSilenceTimer(slot);
    if (this.#closed) {
      for (const task of tasks) task.fail(cancelledError());
      return;
    }
    if (wasReady && tasks.length > 0) {
      const head = tasks[0];
      head.deaths++;
      if (head.deaths > 1 || !retryable) {
        tasks.shift()!.fail(unfinishedError(head, `the decoder process ${why}`));
      }
    } else if (!wasReady && ++this.#failedStarts >= maxFailedStarts) {
      for (const task of [...tasks, ...this.#queue.splice(0)]) {
        task.fail(unfinishedError(task, `the decoder process could not be started: ${why}`));
      }
      return;
    }
    this.#queue.unshift(...tasks);
    this.#dispatch();
  }
}

const undecodableError = (reason: string): AssayError =>
  new AssayError('media_failed', `no frame can be decoded: ${reason}`, {
    advice: 'check the flags and findings of the episode; the file may be corrupt',
  });

/** A queued or running request. */
interface MediaTask {
  readonly message: MediaRequest;
  /** Main file of the request; requests on one file go to the child that has it open. */
  readonly file: string;
  /** Number of children that died while working on it. */
  deaths: number;
  readonly answer: (answer: MediaAnswer) => void;
  /** Called if the decoder failed on the file, as it would again. */
  readonly fault: (reason: string) => void;
  /** Called if decoding did not finish. */
  readonly fail: (why: AssayError) => void;
}

/** Creates the error for requests that are pending when the service is closed. */
const cancelledError = (): AssayError => new AssayError('cancelled', 'decoding was stopped');

/** Creates the `unfinished` error of a request, with advice about permissions if access was denied. */
function unfinishedError({ message: { request } }: MediaTask, why: string): AssayError {
  const path = requestPath(request);
  if (/^(EACCES|EPERM):/.test(why) && path !== null)
    return new AssayError('unfinished', `no permission to read ${path}`, {
      path,
      advice: 'get read permission (chmod a+r), then run the command again',
    });
  return new AssayError('unfinished', `the images could not be decoded on this machine: ${why}`, {
    ...(path === null ? {} : { path }),
    advice:
      'run it again on a machine with more memory or less load; if it fails again on the same file, ' +
      'remove that file and report it',
  });
}

function requestPath({ frames: { locator } }: MediaRequest['request']): string | null {
  if (locator.type === 'image-files') return locator.paths[0] ?? null;
  return 'path' in locator ? locator.path : null;
}

/** Returns the absolute path of the file of a request; '' if it uses several files. */
function mainFile(request: MediaRequest['request']): string {
  const { locator } = request.frames;
  return 'path' in locator ? `${request.root}/${locator.path}` : '';
}
