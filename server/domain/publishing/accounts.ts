/** Connected accounts. Their tokens are stored encrypted and decrypted only for a call to the platform. */
import type { StudioAccount } from '../../contract/social-accounts.ts'
import type { SocialAccountView } from '../../contract/tenant-api/social.ts'
import { AppError, invalidRequest, refuse } from '../../contract/errors.ts'
import { PLATFORMS, type Platform } from '../../contract/post.ts'
import type {
  AccountCall,
  Identified,
  SocialAccount,
  SocialTokens,
  TokenCall,
} from '../../adapters/social/adapter.ts'
import { reasonOf, socialFailure } from '../../adapters/social/failure.ts'
import { createSocialHttp } from '../../adapters/social/http.ts'
import { ADAPTERS } from '../../adapters/social/registry.ts'
import {
  connectedAccounts,
  countScheduledByAccount,
  findAccountByNative,
  getAccount,
  listAccounts as findAccounts,
  saveAccount,
  updateAccount,
  type SocialAccountRow,
} from '../../db/social-posts.ts'
import { newId } from '../../ids.ts'
import { reachable } from '../../reachable.ts'
import { openSecret, sealSecret } from '../../secrets.ts'
import { requireCompany } from '../people/companies.ts'
import { socialApp } from './apps.ts'
import type { ClockServices, DbServices, Services } from '../services.ts'
import type { PlatformFacts } from '../../contract/studio.ts'
import { PLATFORM_PRESETS } from '../../contract/platforms/registry.ts'

type Deps = Pick<Services, 'config' | 'db' | 'home' | 'now'>

const purposeOf = (id: string): string => `social-account:${id}`

/** An account as the APIs show it, without its tokens. */
function presentAccount(row: SocialAccountRow): SocialAccountView {
  return {
    id: row.id,
    platform: row.platform,
    handle: row.handle,
    nativeId: row.nativeId,
    state: row.state === 'connected' ? 'connected' : 'expired',
    scopes: row.scopes,
    expiresAt: row.expiresAt === null ? null : new Date(row.expiresAt).toISOString(),
    connectedAt: new Date(row.createdAt).toISOString(),
  }
}

/** The company's accounts, without what opens them. */
export function listSocialAccounts(services: DbServices, companyId: string): SocialAccountView[] {
  return findAccounts(services.db, companyId).map(presentAccount)
}

/** The same with what an owner wants to know of each: what was refused last, and what waits to go out by it. */
export function describeAccounts(services: DbServices, companyId: string): StudioAccount[] {
  const waiting = countScheduledByAccount(services.db, companyId)
  return findAccounts(services.db, companyId).map((row) => ({
    ...presentAccount(row),
    lastError:
      row.lastError === null || row.lastErrorAt === null
        ? null
        : { message: row.lastError, at: new Date(row.lastErrorAt).toISOString() },
    scheduled: waiting.get(row.id) ?? 0,
  }))
}

/** The platform, or INVALID_REQUEST with the list of them. */
export function requirePlatform(name: string): Platform {
  const platform = PLATFORMS.find((one) => one === name)
  if (platform !== undefined) return platform
  const message = `There is no platform "${name}"; there are ${PLATFORMS.join(', ')}.`
  throw invalidRequest('platform', message)
}

/** What a platform's adapter calls it with. `server`: for accounts on a server of their own. */
export function callFor(services: Deps, platform: Platform, signal: AbortSignal, server?: string): TokenCall {
  const { config, now } = services
  const { label, addresses, uploadHosts } = ADAPTERS[platform]
  const http = createSocialHttp({
    label,
    uploadHosts,
    network: config.network,
    reach: reachable(config),
    now,
    signal,
    addresses: server === undefined ? addresses : { ...addresses, server },
    override: config.social.addresses[platform] ?? null,
  })
  return { http, app: socialApp(services, platform), now, signal }
}

/** Stores an account; one that was connected before has the same id again. Throws COMPANY_NOT_FOUND. */
export function storeAccount(
  services: Deps,
  input: { companyId: string; platform: Platform; identified: Identified },
): SocialAccountView {
  const { db, home, now } = services
  const { platform, identified } = input
  const companyId = requireCompany(services, input.companyId).id
  const known = findAccountByNative(db, { companyId, platform, nativeId: identified.nativeId })
  const id = known?.id ?? newId()
  const { way } = ADAPTERS[platform]
  const row: SocialAccountRow = {
    id,
    companyId,
    platform,
    nativeId: identified.nativeId,
    handle: identified.handle,
    sealedTokens: sealSecret(home, purposeOf(id), JSON.stringify(identified.tokens)),
    scopes: [...(identified.scopes ?? (way.kind === 'oauth' ? way.scopes : []))],
    settings: { ...identified.settings },
    state: 'connected',
    expiresAt: endOf(identified.tokens),
    lastError: null,
    lastErrorAt: null,
    createdAt: known?.createdAt ?? now(),
    updatedAt: now(),
  }
  saveAccount(db, row)
  return presentAccount(row)
}

/** When the account must be connected again, where that is known. */
const endOf = (tokens: SocialTokens): number | null =>
  tokens.refresh === undefined ? (tokens.expiresAt ?? null) : (tokens.refreshExpiresAt ?? null)

/** Deletes the tokens of an account; its posts stay. Throws NOT_FOUND. */
export function disconnectAccount(
  services: ClockServices,
  input: { companyId: string; id: string },
): SocialAccountView {
  const row =
    getAccount(services.db, input.companyId, input.id) ?? refuse('NOT_FOUND', 'There is no such account.')
  updateAccount(services.db, row.id, { state: 'disconnected', sealedTokens: '', updatedAt: services.now() })
  return presentAccount(row)
}

function opened({ home }: Deps, row: SocialAccountRow): SocialAccount {
  const text = row.sealedTokens === '' ? null : openSecret(home, purposeOf(row.id), row.sealedTokens)
  const { label } = ADAPTERS[row.platform]
  if (text === null)
    throw socialFailure(
      'auth',
      `What opens the ${label} account ${row.handle} cannot be read here (a restored home has another key). Connect it again under Publish, Accounts.`,
    )
  const { id, nativeId, handle, scopes, settings } = row
  const tokens = JSON.parse(text) as SocialTokens
  return { id, platform: row.platform, nativeId, handle, scopes, settings, tokens }
}

/** Renewed before they end, so that no upload is cut off by it. */
const RENEW_BEFORE_MS = 5 * 60_000

function endsSoon({ platform, tokens: { expiresAt } }: SocialAccount, now: number): boolean {
  const { way } = ADAPTERS[platform]
  const before = (way.kind === 'oauth' ? way.renewBeforeMs : undefined) ?? RENEW_BEFORE_MS
  return expiresAt !== undefined && expiresAt - before <= now
}

const renewing = new Map<string, Promise<SocialAccount>>()

/** Two calls at once renew once: many platforms take a refresh token only one time. */
async function renewed(services: Deps, account: SocialAccount, context: CallContext): Promise<SocialAccount> {
  const going = renewing.get(account.id)
  if (going !== undefined) return going
  const renewal = renew(services, account, context).finally(() => renewing.delete(account.id))
  renewing.set(account.id, renewal)
  return renewal
}

interface CallContext {
  readonly companyId: string
  readonly signal: AbortSignal
}

/** `used`: the account as the call opened it, possibly some time ago. */
async function renew(
  services: Deps,
  used: SocialAccount,
  { companyId, signal }: CallContext,
): Promise<SocialAccount> {
  const { db, home, now } = services
  const row = getAccount(db, companyId, used.id)
  if (row === null) throw gone()
  const account = opened(services, row)
  // Another call was first: what it got holds, and the refresh token that was there before may be spent.
  if (account.tokens.access !== used.tokens.access) return account
  const { refresh } = ADAPTERS[account.platform].way
  const call = callFor(services, account.platform, signal, account.settings['server'])
  if (refresh === null || account.tokens.refresh === undefined) throw expired(account)
  const tokens = await refresh(call, account.tokens, account)
  // Unless it was disconnected or connected again meanwhile.
  if (getAccount(db, companyId, row.id)?.sealedTokens === row.sealedTokens)
    updateAccount(db, row.id, {
      sealedTokens: sealSecret(home, purposeOf(row.id), JSON.stringify(tokens)),
      expiresAt: endOf(tokens),
      state: 'connected',
      updatedAt: now(),
    })
  return { ...account, tokens }
}

/** Marks an account whose access has ended, unless it has other tokens by now. */
function markExpired(services: Deps, account: SocialAccount, companyId: string): void {
  const { db, now } = services
  const row = getAccount(db, companyId, account.id)
  if (row === null || opened(services, row).tokens.access !== account.tokens.access) return
  updateAccount(db, row.id, { state: 'expired', updatedAt: now() })
}

/** Notes what became of a call in an account's name: the sentence of its failure, or that it went well. */
function noteOutcome(services: Deps, row: SocialAccountRow, error: unknown): void {
  const failed = error instanceof AppError && reasonOf(error) !== null ? error.message : null
  if (failed === null && (error !== null || row.lastError === null)) return
  const at = services.now()
  updateAccount(services.db, row.id, {
    lastError: failed,
    lastErrorAt: failed === null ? null : at,
    updatedAt: at,
  })
}

const gone = (): AppError => new AppError('NOT_FOUND', 'The account is not connected any more.')

function expired({ platform, handle }: SocialAccount) {
  return socialFailure(
    'auth',
    `The access to the ${ADAPTERS[platform].label} account ${handle} has ended. Connect it again under Publish, Accounts.`,
  )
}

/**
 * Calls a platform with an account's tokens, renewed where they have ended. An account without access is marked
 * `expired`. Throws socialFailure (adapters/social/failure.ts), NOT_FOUND.
 */
export async function withAccount<T>(
  services: Deps & Pick<Services, 'log'>,
  input: { companyId: string; accountId: string; signal: AbortSignal },
  use: (call: AccountCall) => Promise<T>,
): Promise<T> {
  const row = getAccount(services.db, input.companyId, input.accountId)
  if (row === null) throw gone()
  try {
    const result = await useAccount(services, { ...input, row }, use)
    noteOutcome(services, row, null)
    return result
  } catch (error) {
    if (!input.signal.aborted) noteOutcome(services, row, error)
    throw error
  }
}

async function useAccount<T>(
  services: Deps & Pick<Services, 'log'>,
  input: { companyId: string; row: SocialAccountRow; signal: AbortSignal },
  use: (call: AccountCall) => Promise<T>,
): Promise<T> {
  const { now } = services
  const { companyId, row, signal } = input
  const callOf = (account: SocialAccount): AccountCall => ({
    account,
    ...callFor(services, account.platform, signal, account.settings['server']),
  })
  const renewedOf = async (account: SocialAccount): Promise<SocialAccount> => {
    try {
      return await renewed(services, account, { companyId, signal })
    } catch (error) {
      const holds = account === first && !refused && (account.tokens.expiresAt ?? 0) > now()
      // Tried early: what is there opens the account for a while yet.
      if (holds && !signal.aborted) {
        services.log.warn('a token could not be renewed yet', { account: account.id, error })
        return account
      }
      if (reasonOf(error) === 'auth') markExpired(services, account, companyId)
      throw error
    }
  }
  const first = opened(services, row)
  let refused = false
  const canRenew = first.tokens.refresh !== undefined && ADAPTERS[first.platform].way.refresh !== null
  const account = canRenew && endsSoon(first, now()) ? await renewedOf(first) : first
  try {
    return await use(callOf(account))
  } catch (error) {
    if (reasonOf(error) !== 'auth') throw error
    const status = (error as AppError).details?.['status']
    // A lacking permission (403) is not mended by another token of the same grant.
    if (status !== 401) throw error
    // Renewed a moment ago, and not let in: long uploads outlive what they began with.
    if (!canRenew || (account !== first && !endsSoon(account, now()))) {
      markExpired(services, account, companyId)
      throw error
    }
    refused = true
    return use(callOf(await renewedOf(account)))
  }
}

/**
 * Renews tokens that can be renewed only while they are valid (Threads), so that an unused account stays connected.
 * Failures are logged, and an account without access is marked.
 */
export async function renewLasting(
  services: Deps & Pick<Services, 'log'>,
  signal: AbortSignal,
): Promise<void> {
  for (const { id, companyId, platform } of connectedAccounts(services.db)) {
    const { way } = ADAPTERS[platform]
    if (way.kind !== 'oauth' || way.renewBeforeMs === undefined) continue
    try {
      await withAccount(services, { companyId, accountId: id, signal }, () => Promise.resolve())
    } catch (error) {
      if (signal.aborted) return
      services.log.warn('an account could not be kept open', { account: id, platform, error })
    }
  }
}

/** Limits as the platforms publish them. */
export function describePlatforms(): { platforms: PlatformFacts[] } {
  const customs = new Map(PLATFORM_PRESETS.map(({ platform, post }) => [platform, post]))
  return {
    platforms: PLATFORMS.map((platform) => {
      const { label, limits, remove } = ADAPTERS[platform]
      return {
        platform,
        label,
        text: limits.text,
        title: limits.title,
        firstComment: limits.firstComment,
        cover: limits.cover !== null,
        links: customs.get(platform)?.links === true,
        visibilities: [...limits.visibilities],
        videoRequired: limits.videoRequired,
        seconds: limits.video.seconds,
        removable: remove !== null,
      }
    }),
  }
}
