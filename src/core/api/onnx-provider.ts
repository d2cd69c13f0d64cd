/** Execution providers for ONNX models: the CPU, or an accelerator that onnxruntime supports. */
export const onnxProviderIds = ['cpu', 'cuda', 'coreml', 'directml', 'webgpu'] as const;
export type OnnxProviderId = (typeof onnxProviderIds)[number];

/** Values of the setting for the execution provider; `auto` chooses the best one available. */
export const onnxProviderSettings = ['auto', ...onnxProviderIds] as const;
export type OnnxProviderSetting = (typeof onnxProviderSettings)[number];
