/** Binds the configured address and port, or reports which of the two settings cannot be used. */
import type { AddressInfo, Server } from 'node:net'
import { AppError } from '../contract/errors.ts'

interface Wanted {
  readonly host: string
  readonly port: number
}

/** Why it is not possible to listen, with the setting that is to be changed. */
export function whyNot(cause: NodeJS.ErrnoException, { host, port }: Wanted): string {
  const other = 'choose another with CUTROOM_PORT or --port (0 picks a free one)'
  switch (cause.code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is in use; ${other}.`
    case 'EACCES':
      return `port ${port} on ${host} is not for this user to take; ${other}.`
    default:
      return `it is not possible to listen on ${host}:${port} (${cause.code ?? cause.message}); CUTROOM_HOST or --host should be an address of this machine.`
  }
}

/** The port that is listened on. Throws INVALID_CONFIGURATION that names the setting. */
export async function listen(server: Server, { host, port }: Wanted): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, exclusive: true }, () => {
      server.off('error', reject)
      resolve()
    })
  }).catch((cause: NodeJS.ErrnoException) => {
    throw new AppError('INVALID_CONFIGURATION', { message: whyNot(cause, { host, port }), cause })
  })
  return (server.address() as AddressInfo).port
}
