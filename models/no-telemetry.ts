/**
 * The runtime of models (onnxruntime, 1.30) tells its maker what is run on it, by native code that no rule of ours about
 * the network sees: it looks up mobile.events.data.microsoft.com, and leaves a device id in the user's cache. It does
 * neither where this is in the environment before it starts. First import of whatever loads it: this sets it for the
 * process; threads cannot, so processes that have them are started with it.
 */
export const NO_TELEMETRY = { ORT_DISABLE_TELEMETRY: '1' } as const

Object.assign(process.env, NO_TELEMETRY)
