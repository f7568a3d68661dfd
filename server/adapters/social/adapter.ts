/**
 * What a social platform's adapter is: its published limits, how an account of it is connected, and what is done with a
 * post there. One file per platform, all in registry.ts. Refusals are socialFailure() of failure.ts.
 */
import type { PlatformLimits, Visibility } from '../../contract/platforms/platform.ts'
import type { Platform } from '../../contract/platforms/registry.ts'
import type { SocialApp } from '../../config/social.ts'
import type { SocialHttp } from './http.ts'

/** What opens an account: sealed at rest, never logged. */
export interface SocialTokens {
  readonly access: string
  readonly refresh?: string
  /** Epoch milliseconds at which `access` ends; left out: it does not. */
  readonly expiresAt?: number
  /** Epoch milliseconds at which `refresh` ends: then the account must be connected again. */
  readonly refreshExpiresAt?: number
}

/** A connected account, opened. */
export interface SocialAccount {
  /** Our own id. */
  readonly id: string
  readonly platform: Platform
  /** Its id on the platform. */
  readonly nativeId: string
  readonly handle: string
  readonly scopes: readonly string[]
  /** Further non-secret settings of the platform: a server address, a page id. */
  readonly settings: Readonly<Record<string, string>>
  readonly tokens: SocialTokens
}

/** A call in an account's name. */
export interface AccountCall {
  readonly account: SocialAccount
  readonly http: SocialHttp
  /** The user's own app on the platform; null: none is configured. */
  readonly app: SocialApp | null
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly signal: AbortSignal
}

/** Counters of one post, mapped to the four that every platform has; 0 where the platform reports none. */
export interface PostMetrics {
  readonly views: number
  readonly likes: number
  readonly comments: number
  readonly shares: number
  /** The platform's own metrics, as it names them. */
  readonly platformMetrics: Readonly<Record<string, unknown>>
}

/** Facts of the file that is uploaded. Lengths in seconds, sizes in pixels. */
export interface SocialMedia {
  readonly file: string
  readonly bytes: number
  readonly seconds: number
  readonly width: number
  readonly height: number
  readonly mediaType: 'video/mp4'
  /** Where a platform could fetch it from, when the appliance can be reached from outside; else null. */
  readonly address: string | null
}

export interface SocialPostContent {
  readonly id: string
  readonly text: string
  readonly title: string | null
  readonly visibility: Visibility
  readonly firstComment: string | null
}

/** What an adapter notes between its steps: JSON, nothing secret that outlives the post. */
export type Memo = Readonly<Record<string, string | number | boolean | null>>

/** What a platform is to show before a video is played. */
export interface Cover {
  /** Of the video. */
  readonly seconds: number
  /** A JPEG of that moment. */
  readonly picture: () => Promise<Uint8Array>
}

/** One post on its way to a platform. */
export interface PublishJob extends AccountCall {
  readonly post: SocialPostContent
  /** The same for every try of the same post, unguessable, [A-Za-z0-9_-]{22}. */
  readonly key: string
  /** When the first try of this post began: epoch milliseconds. */
  readonly startedAt: number
  readonly media: SocialMedia | null
  /** Null: the platform chooses. */
  readonly cover: Cover | null
  /** What was noted by this or an earlier try, newest. */
  readonly memo: () => Memo
  /** Stores a note for good before it returns: the next step may count on it, after a crash too. */
  readonly remember: (changes: Memo) => void
  /**
   * To be called right before the one request that makes the post public and may not be sent twice. After it, a try that
   * was cut off is looked up (`find`) before anything is sent again.
   */
  readonly sending: () => Promise<void>
  /** The platform has clearly not taken what was sent: it may be sent again without a look. */
  readonly notTaken: () => void
  /** 0 to 1. */
  readonly progress: (fraction: number) => void
}

/** A post that is there. */
export interface Published {
  readonly nativeId: string
  readonly url: string | null
  /** One sentence, where something about it is to be known. */
  readonly note?: string
}

/** The platform is still processing: poll again after this many milliseconds. Does not count as an attempt. */
export interface Later {
  readonly later: number
}

/** How an account is connected by OAuth 2.0, with the user's own app. */
export interface OAuthWay {
  readonly kind: 'oauth'
  /** Address of the consent page. */
  readonly authorizeAddress: string
  readonly scopes: readonly string[]
  /** How the scopes are separated in the address. */
  readonly separator: ' ' | ','
  /** How the verifier of PKCE is hashed into the address; null: the platform has none. */
  readonly pkce: 'base64url' | 'hex' | null
  /** Name of the app's id in the address where it is not `client_id`. */
  readonly clientParameter?: string
  /** More parameters of the address. */
  readonly parameters?: Readonly<Record<string, string>>
  exchange(call: TokenCall, code: OAuthCode): Promise<SocialTokens>
  /** Null: tokens of this platform are not renewed. */
  readonly refresh: ((call: TokenCall, tokens: SocialTokens) => Promise<SocialTokens>) | null
  /** How long before its end a token is renewed, where it can be only while it lasts. Default: some minutes. */
  readonly renewBeforeMs?: number
  /**
   * Identifies the account of the tokens; may exchange them (for a page's own token). `wanted`: which of several
   * accounts, by id or handle.
   */
  identify(call: TokenCall, tokens: SocialTokens, wanted: string | null): Promise<Identified>
}

/** By a handle and a password that is made for the app. */
export interface PasswordWay {
  readonly kind: 'password'
  connect(
    call: TokenCall,
    given: { readonly handle: string; readonly password: string; readonly server: string | null },
  ): Promise<Identified>
  readonly refresh: (call: TokenCall, tokens: SocialTokens, account: SocialAccount) => Promise<SocialTokens>
}

export interface TokenCall {
  readonly http: SocialHttp
  readonly app: SocialApp | null
  readonly now: () => number
  readonly signal: AbortSignal
}

export interface OAuthCode {
  readonly code: string
  readonly redirectAddress: string
  readonly verifier: string
}

export interface Identified {
  readonly nativeId: string
  readonly handle: string
  readonly tokens: SocialTokens
  readonly scopes?: readonly string[]
  readonly settings?: Readonly<Record<string, string>>
}

export interface SocialAdapter {
  readonly platform: Platform
  /** For people. */
  readonly label: string
  readonly limits: PlatformLimits
  /** The platform's fixed addresses, by the name that the adapter calls them with. */
  readonly addresses: Readonly<Record<string, string>>
  /** Hosts, or ends of hosts (`.example.com`), that the platform itself may name for uploads. */
  readonly uploadHosts: readonly string[]
  readonly way: OAuthWay | PasswordWay
  /** Publishes; called again after `Later`, after what is passing, and after a crash, with what was remembered. */
  publish(job: PublishJob): Promise<Published | Later>
  /** What of this job is there already, after it was cut off while sending; `media` is null here. */
  find(job: PublishJob): Promise<Published | Later | null>
  /** Comments on a post that was just published; null: `limits.firstComment` is too. */
  readonly comment: ((call: AccountCall, nativeId: string, text: string) => Promise<unknown>) | null
  /** Takes a published post away; null: the platform has no way for it, or not for apps. */
  readonly remove: ((call: AccountCall, nativeId: string) => Promise<unknown>) | null
  /** Counters by native post id; deleted posts are omitted. At most `METRICS_AT_ONCE` ids per call. */
  metrics(call: AccountCall, nativeIds: readonly string[]): Promise<ReadonlyMap<string, PostMetrics>>
}

export const METRICS_AT_ONCE = 25
