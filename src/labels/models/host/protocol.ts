import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';
import type { ComputeDevice, ModelUse, OnnxProviderSetting, VisionEndpoint } from '#core/api';
import type { ChildEnd } from '#io/processes';
import type { GraphShape, ModelContract, TensorSpec, Tensors } from '../contract.ts';

/** A model with the paths of its files, as passed to lanes. */
export interface ModelRef {
  /** Model id in the registry. */
  readonly model: string;
  /** Runtime of the host that runs it, or `endpoint`. */
  readonly runtime: ModelUse['runtime'];
  /** Absolute paths of the graph files, by graph name. */
  readonly graphs: Readonly<Record<string, string>>;
  readonly contract?: ModelContract;
  /** The vision endpoint, for a model that the host does not run. */
  readonly endpoint?: VisionEndpoint;
}

/** A graph file to load. */
export interface GraphRef {
  readonly runtime: string;
  readonly path: string;
  /** Required shape; absent if unknown. */
  readonly shape?: GraphShape;
}

/** Request of a client. */
export type ToHost =
  | { readonly id: number; readonly kind: 'load'; readonly ref: GraphRef }
  | { readonly id: number; readonly kind: 'run'; readonly ref: GraphRef; readonly inputs: Tensors };

/**
 * Answer of the host. `begun`: the request is being processed, so if the host ends from now on, the request may be
 * the cause. `failed` with `here`: the machine is at fault, for example a missing library, not the model.
 */
export type FromHost =
  | { readonly id: number; readonly kind: 'begun' }
  | { readonly id: number; readonly kind: 'loaded'; readonly spec: LoadedSpec }
  /** `compute_ms`: CPU time of the run, or the time on the accelerator that ran it. */
  | { readonly id: number; readonly kind: 'ran'; readonly outputs: Tensors; readonly compute_ms: number }
  | { readonly id: number; readonly kind: 'failed'; readonly reason: string; readonly here: boolean };

/** Inputs, outputs, device and files of a loaded graph. */
export interface LoadedSpec extends ModelSpec, ComputedBy {
  readonly files: readonly LoadedFile[];
}

/** A file of a loaded graph: its name and the SHA-256 of its bytes. */
export type LoadedFile = ModelUse['files'][number];

/** Inputs and outputs of a graph. */
export interface ModelSpec {
  readonly inputs: readonly TensorSpec[];
  readonly outputs: readonly TensorSpec[];
}

/** Device that a graph runs on, known once it is loaded. */
export interface ComputedBy {
  readonly device: ComputeDevice;
  /** Preferred provider that could not be used, with the reason; `null` if none. */
  readonly passed_over: string | null;
}

/** First message to the host process. */
export interface ListenMessage {
  readonly kind: 'listen';
  readonly socket: string;
  /** CPU threads per model. */
  readonly threads: number;
  /** Execution provider for ONNX models. */
  readonly onnx_provider: OnnxProviderSetting;
}

/** Message of the host process to its parent. */
export type FromHostProcess =
  | { readonly kind: 'listening' }
  | { readonly kind: 'failed'; readonly reason: string };

/** Message of a client to the `ModelHost`, on a channel that all threads of a process share. */
export type ClientMessage =
  | {
      readonly kind: 'host';
      readonly client: string;
      readonly request_id: number;
      /** Generation of the host whose connection was lost; `null` for the first request. */
      readonly lost: number | null;
    }
  /** A request has been waiting for `waited_s` seconds. */
  | { readonly kind: 'waiting'; readonly waited_s: number };

/** Answer of the `ModelHost` to a client. */
export interface HostReply {
  readonly kind: 'reply';
  readonly client: string;
  readonly request_id: number;
  /** Number of the host, counted within this process. */
  readonly generation: number;
  /** How the lost host ended; `null` if it did not, or if unknown. */
  readonly end: HostEnd | null;
  /** Reason why there is no host; `null` if there is one. */
  readonly failure: string | null;
}

/** How a host ended. */
export type HostEnd = ChildEnd;

/** Maximum message size; a picture tensor takes a few megabytes. */
const maxMessage_bytes = 2 ** 30;

/**
 * Sends a message with a 4-byte length prefix, serialised by V8. Only for processes of one program on one machine.
 */
export function sendMessage(socket: Socket, message: object): void {
  const body = serialize(message);
  const head = Buffer.alloc(4);
  head.writeUInt32LE(body.length);
  socket.cork();
  socket.write(head);
  socket.write(body);
  socket.uncork();
}

/**
 * Calls `onMessage` for each complete message received on a socket; a message over `maxMessage_bytes` closes the
 * connection. Returns at once.
 */
export function readMessages<Message>(socket: Socket, onMessage: (message: Message) => void): void {
  let parts: Buffer[] = [];
  let received = 0;
  let needed = 4;
  let isHead = true;
  socket.on('data', (part: Buffer) => {
    parts.push(part);
    received += part.length;
    while (received >= needed) {
      const all = parts.length === 1 ? parts[0] : Buffer.concat(parts, received);
      const chunk = all.subarray(0, needed);
      parts = [all.subarray(needed)];
      received -= needed;
      if (isHead) {
        needed = chunk.readUInt32LE();
        if (needed > maxMessage_bytes) {
          socket.destroy(new Error(`message too large: ${needed} bytes`));
          return;
        }
      } else {
        needed = 4;
        onMessage(deserialize(chunk));
      }
      isHead = !isHead;
    }
  });
}
