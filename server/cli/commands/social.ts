import { readFileSync } from 'node:fs'
import { AppError } from '../../contract/errors.ts'
import type { SocialAccountView } from '../../contract/tenant-api/social.ts'
import type { Platform } from '../../contract/post.ts'
import type { SocialTokens } from '../../adapters/social/adapter.ts'
import { ADAPTERS } from '../../adapters/social/registry.ts'
import { requireCompany } from '../../domain/people/companies.ts'
import { disconnectAccount, listSocialAccounts, requirePlatform } from '../../domain/publishing/accounts.ts'
import {
  beginAuthorisation,
  connectByCode,
  connectByPassword,
  connectByToken,
} from '../../domain/publishing/connect.ts'
import type { Services } from '../../domain/services.ts'
import { defineCommand, type Terminal, optional, required } from '../command.ts'
import { withServices, defineHomeCommand } from '../open-home.ts'
import { startLoopback } from '../social-loopback.ts'
import { table } from '../terminal.ts'

/** How long a person has to give consent in the browser. */
const PATIENCE_MS = 10 * 60_000

interface ConnectRequest {
  readonly platform: Platform
  readonly companyId: string
  readonly handle: string | null
  readonly server: string | null
  readonly secret: string | null
  readonly wanted: string | null
  readonly port: number
  readonly host: string
}

/** Connects an account of a platform. Passwords and tokens come from a file or stdin: never from the command line. */
export const socialConnect = defineCommand({
  summary: 'Connect an account of a social platform',
  positionals: ['PLATFORM'],
  options: {
    company: required('ID', 'whose account it is'),
    handle: optional('NAME', 'the handle, for platforms with app passwords'),
    server: optional('URL', 'the account’s own server, where it has one'),
    secret: {
      type: 'string',
      value: 'FILE',
      description:
        'file with the app password, or with a token (or {"access","refresh"} as JSON); - reads it from stdin',
    },
    account: optional('NAME', 'which account, where one person manages several'),
    port: optional('N', 'port of the redirect on this machine (a free one)'),
    'redirect-host': optional('NAME', '127.0.0.1, or localhost for platforms that insist on it (127.0.0.1)'),
  },
  examples: {
    'cutroom social connect bluesky --company acme --handle acme.bsky.social --secret -':
      'Reads the app password from stdin.',
    'cutroom social connect youtube --company acme':
      'Prints an address; say yes there in a browser on this machine.',
  },
  run: async ({ options, positionals, terminal }) => {
    const port = Number(options.port ?? 0)
    const host = options['redirect-host'] ?? '127.0.0.1'
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new AppError('INVALID_USAGE', '--port is a number from 0 to 65535.')
    if (host !== '127.0.0.1' && host !== 'localhost')
      throw new AppError('INVALID_USAGE', '--redirect-host is 127.0.0.1 or localhost.')
    const request: ConnectRequest = {
      platform: requirePlatform(positionals[0] ?? ''),
      companyId: options.company,
      handle: options.handle ?? null,
      server: options.server ?? null,
      port,
      host,
      secret: readSecret(options.secret),
      wanted: options.account ?? null,
    }
    const account = await withServices(options, (services) => connect(services, request, terminal))
    return {
      json: account,
      text: `${ADAPTERS[request.platform].label} account ${account.handle} is connected (${account.id}).`,
    }
  },
})

function readSecret(file: string | undefined): string | null {
  if (file === undefined) return null
  try {
    const text = readFileSync(file === '-' ? 0 : file, 'utf8').trim()
    if (text !== '') return text
  } catch (cause) {
    throw new AppError('INVALID_USAGE', { message: 'The file of --secret cannot be read.', cause })
  }
  throw new AppError('INVALID_USAGE', 'The file of --secret is empty.')
}

async function connect(
  services: Services,
  request: ConnectRequest,
  terminal: Terminal,
): Promise<SocialAccountView> {
  const { platform, companyId, secret, wanted } = request
  const input = { platform, companyId, signal: AbortSignal.timeout(PATIENCE_MS) }
  if (ADAPTERS[platform].way.kind === 'password') {
    if (request.handle === null || secret === null)
      throw new AppError('INVALID_USAGE', '--handle and --secret are needed for this platform.')
    const { handle, server } = request
    return connectByPassword(services, { ...input, handle, password: secret, server })
  }
  if (secret !== null) return connectByToken(services, { ...input, tokens: tokensOf(secret), wanted })
  const loopback = await startLoopback(request.port, request.host)
  try {
    const authorisation = beginAuthorisation(services, { platform, redirectAddress: loopback.address })
    const coming = loopback.code(authorisation.state, input.signal)
    terminal.note(
      `Open this address in a browser on this machine, and say yes there:\n${authorisation.address}`,
    )
    return await connectByCode(services, { ...input, code: await coming, authorisation, wanted })
  } finally {
    loopback.close()
  }
}

/** A bare token, or tokens as JSON. */
function tokensOf(text: string): SocialTokens {
  if (!text.startsWith('{')) return { access: text }
  try {
    const { access, refresh, expiresAt } = JSON.parse(text) as Record<string, unknown>
    if (typeof access === 'string' && access !== '')
      return {
        access,
        ...(typeof refresh === 'string' ? { refresh } : {}),
        ...(typeof expiresAt === 'number' ? { expiresAt } : {}),
      }
  } catch {
    // Reported below without the file's content.
  }
  throw new AppError('INVALID_USAGE', {
    message: 'The file of --secret holds neither a token nor {"access": "...", "refresh": "..."}.',
  })
}

export const socialList = defineHomeCommand({
  summary: 'List the connected accounts of a company',
  options: { company: required('ID', 'whose accounts') },
  examples: { 'cutroom social list --company acme': 'Handles, platforms and how they stand.' },
  run: ({ services, options }) => {
    const accounts = listSocialAccounts(services, requireCompany(services, options.company).id)
    if (accounts.length === 0)
      return { json: accounts, text: 'No account is connected: posts become packages.' }
    const rows = accounts.map(({ id, platform, handle, state }) => [id, platform, handle, state])
    return { json: accounts, text: table([['ID', 'PLATFORM', 'HANDLE', 'STATE'], ...rows]) }
  },
})

export const socialDisconnect = defineHomeCommand({
  summary: 'Forget what opens an account; its posts stay listed',
  positionals: ['ACCOUNT_ID'],
  options: { company: required('ID', 'whose account it is') },
  examples: {
    'cutroom social disconnect f3kQ... --company acme':
      'Nothing is published by it any more. Take the leave back on the platform too.',
  },
  run: ({ services, options, positionals: [id = ''] }) => {
    const account = disconnectAccount(services, { companyId: options.company, id })
    return { json: { id, disconnected: true }, text: `${account.handle} is disconnected.` }
  },
})
