/** What people are told of an error: its own sentence. */
export const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error))
