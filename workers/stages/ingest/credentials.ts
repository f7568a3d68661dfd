/** Sends `user:password` of an address as a request header, and never as a part of the address. */

/** Basic authorization, or no header for an address without credentials. Credentials may be percent-encoded or plain. */
export function authorizationOf(url: URL): Record<string, string> {
  if (url.username === '' && url.password === '') return {}
  const pair = `${decoded(url.username)}:${decoded(url.password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // The percent sign is part of the password.
    return text
  }
}
