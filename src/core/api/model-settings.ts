/** Execution providers for ONNX models: the CPU, or an accelerator that onnxruntime supports. */
export const onnxProviderIds = ['cpu', 'cuda', 'coreml', 'directml', 'webgpu'] as const;
export type OnnxProviderId = (typeof onnxProviderIds)[number];

/** Values of the setting for the execution provider; `auto` chooses the best one available. */
export const onnxProviderSettings = ['auto', ...onnxProviderIds] as const;
export type OnnxProviderSetting = (typeof onnxProviderSettings)[number];

/** A server with an OpenAI-compatible chat API whose model accepts images. */
export interface VisionEndpoint {
  /** Base URL without a trailing slash: `http://10.0.0.7:8000/v1`. */
  readonly url: string;
  /** API key; `null` if the server needs none. */
  readonly api_key: string | null;
  /** Model name that the server expects. */
  readonly model: string;
  /** Maximum silence during a call before it is aborted. */
  readonly silence_ms: number;
}
