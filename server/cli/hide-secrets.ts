/** What may open something is taken out of a text that leaves the machine. Pure. */

const HIDDEN: readonly (readonly [RegExp, string])[] = [
  // What follows a question mark may sign an address, and what comes before an @ may be a password.
  [/(https?:\/\/[^\s"'?#]*)[?#][^\s"'\\]*/gi, '$1?hidden'],
  [/(\w+:\/\/)[^\s"'/@]+@/g, '$1hidden@'],
  [/(bearer|basic)\s+[\w+/=.~-]{8,}/gi, '$1 hidden'],
  // Our own addresses of media and of share links open by themselves.
  [/(\/(?:media|shared)\/)[\w-]{16,}/g, '$1hidden'],
  // Anything long that looks drawn at random: keys, tokens, signatures.
  [/\b(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{32,}\b/g, 'hidden'],
  [/("?(?:key|token|secret|password|cookie|authorization)"?\s*[:=]\s*)"[^"]*"/gi, '$1"hidden"'],
]

/** The text, with `hidden` in place of what may open something. Ids and digests stay: they open nothing. */
export const hideSecrets = (text: string): string =>
  HIDDEN.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), text)
