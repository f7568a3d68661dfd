/** Removes credentials from addresses in the output of tools. PURE. */

/** The text without `user:password@` in addresses of any scheme. */
export function withoutUserinfo(text: string): string {
  return text.replaceAll(/\/\/[^\s/?#"<>\\]*@/g, '//')
}
