/**
 * The model runtime (onnxruntime 1.30) reports to its maker what is run on it, from native code that our network rules do
 * not cover: it looks up mobile.events.data.microsoft.com and leaves a device id in the user's cache folder. With this
 * variable in the environment before it starts it does neither. Import this module before whatever loads the runtime:
 * it sets the variable for the process. A thread cannot do that, so processes with threads are started with it.
 */
export const NO_TELEMETRY = { ORT_DISABLE_TELEMETRY: '1' } as const

Object.assign(process.env, NO_TELEMETRY)
