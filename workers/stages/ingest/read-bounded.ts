/** Reads response bodies up to a limit. */

/**
 * The whole body; null when it is longer than `maxBytes`. A body that is too long is closed at once together with its connection,
 * without waiting for the rest. Rejects with the error that ends the body early, including an abort of its request.
 */
export async function readBounded(body: AsyncIterable<unknown>, maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  // The streams of undici and node do not declare their type: without an encoding they yield bytes.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    // Leaving the loop closes the body.
    if (size > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
