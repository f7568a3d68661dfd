/** Answers of servers that are read whole: never more of them than is worth having. */

/**
 * All of the body; null when it is longer than `maxBytes`. A body that is too long is closed at once, and its connection
 * with it: what else comes is not waited for. Rejects with what ends the body early, an abort of its request included.
 */
export async function readBounded(body: AsyncIterable<unknown>, maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  // The readers of undici and node have no type for what they give: without an encoding it is always bytes.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    // Leaving the loop closes the body.
    if (size > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
