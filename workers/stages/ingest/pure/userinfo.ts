/** Addresses in what tools print. PURE. */

/** The text with `user:password@` taken out of every address, whatever its scheme. */
export function withoutUserinfo(text: string): string {
  return text.replaceAll(/\/\/[^\s/?#"<>\\]*@/g, '//')
}
