export const NODE_FLAGS: readonly string[]
export const ENGINE_FLAGS: readonly string[]
export function withSteadyMemory<E extends Record<string, string | undefined>>(environment: E): E
export function continueWithSteadyMemory(program: string): void
export function collectSteadily(): void
