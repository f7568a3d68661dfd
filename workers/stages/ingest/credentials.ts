/** `user:password` of an address, as a header of the request: never in the address that is sent. */

/** Basic authorization, or nothing for an address without credentials. They may be written percent-encoded or as they are. */
export function authorizationOf(url: URL): Record<string, string> {
  if (url.username === '' && url.password === '') return {}
  const pair = `${decoded(url.username)}:${decoded(url.password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A percent sign of the password itself.
    return text
  }
}
