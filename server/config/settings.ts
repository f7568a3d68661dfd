/** How one setting is declared and read: environment, config.json, default; a bad value is one line that names the place. */
import { existsSync, readFileSync, statSync, type Stats } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { AppError } from '../contract/errors.ts'

export interface Setting<T> {
  readonly env: string
  readonly key: string
  readonly fallback: T
  readonly parse: (value: unknown) => T | undefined
  readonly expected: string
  /** Its value is not to be read in a message. */
  readonly secret?: true
}

export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
export const integer =
  (min: number, max: number) =>
  (value: unknown): number | undefined => {
    const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
    return typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max
      ? number
      : undefined
  }
export const flag = (value: unknown): boolean | undefined =>
  value === true || value === 'true' || value === '1'
    ? true
    : value === false || value === 'false' || value === '0'
      ? false
      : undefined
const list = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
    ? value
    : typeof value === 'string'
      ? value
          .split(',')
          .map((item) => item.trim())
          .filter((item) => item !== '')
      : undefined
const HOST = /^(?:\[[0-9a-f:.]+\](?::\d{1,5})?|[0-9a-f]*:[0-9a-f:.]+|[a-z0-9._-]+(?::\d{1,5})?)$/i
/** Host names in the form of a Host header: anything else would silently match no request. */
export const hostList = (value: unknown): readonly string[] | undefined => {
  const hosts = list(value)
  return hosts?.every((host) => HOST.test(host)) === true ? hosts : undefined
}
/** Origins as browsers write them. */
export const originList = (value: unknown): readonly string[] | undefined => {
  const origins = list(value)
  const isOrigin = (one: string): boolean =>
    /^https?:/.test(one) && URL.canParse(one) && new URL(one).origin === one
  return origins?.every(isOrigin) === true ? origins : undefined
}
/** Folders that may be away now, such as shares. */
export const folderList = (value: unknown): readonly string[] | undefined => {
  const folders = list(value)
  return folders?.every((folder) => isAbsolute(folder)) === true
    ? folders.map((folder) => resolve(folder))
    : undefined
}
/** What a bearer can carry. */
export const token = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\S+$/.test(value) ? value : undefined
const httpUrl = (value: unknown): string | undefined => {
  const candidate = text(value)
  return candidate !== undefined && URL.canParse(candidate) && /^https?:$/.test(new URL(candidate).protocol)
    ? candidate.replace(/\/+$/, '')
    : undefined
}
/** What other addresses are built on. */
export const baseUrl = (value: unknown): string | undefined => {
  const url = httpUrl(value)
  // A question mark without a query is valid in a URL, but would end up in the middle of every address.
  if (url === undefined || /[?#]/.test(url)) return undefined
  const { username, password } = new URL(url)
  return username === '' && password === '' ? url : undefined
}
export const redisAddress = (value: unknown): string | undefined => {
  const candidate = text(value)
  return candidate !== undefined && URL.canParse(candidate) && /^rediss?:$/.test(new URL(candidate).protocol)
    ? candidate
    : undefined
}
/** Stats of a path, following links; undefined when it does not exist or cannot be read. */
function findStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
const existing =
  (is: (found: Stats) => boolean) =>
  (value: unknown): string | undefined => {
    const candidate = text(value)
    const found = candidate === undefined ? undefined : findStats(candidate)
    return candidate !== undefined && found !== undefined && is(found) ? resolve(candidate) : undefined
  }
/** A file that may appear later or be unavailable for a while; its reader reports that. */
export const filePath = (value: unknown): string | undefined => {
  const candidate = text(value)
  return candidate === undefined ? undefined : resolve(candidate)
}
/** A bucket with a prefix: `s3://bucket/cutroom`. */
export const bucketPlace = (value: unknown): string | undefined => {
  const candidate = text(value)
  return candidate !== undefined && /^s3:\/\/[a-z0-9][a-z0-9.-]+(?:\/[\w.-]+)*\/?$/.test(candidate)
    ? candidate.replace(/\/$/, '')
    : undefined
}
/** A folder, or a bucket with a prefix. */
export const backupPlace = (value: unknown): string | undefined =>
  text(value)?.startsWith('s3://') === true ? bucketPlace(value) : filePath(value)
export const existingFile = existing((found) => found.isFile())
/** In place of the path of an ffmpeg: the one that comes with the appliance. */
export const BUNDLED = 'bundled'
export const ffmpegPlace = (value: unknown): string | undefined =>
  value === BUNDLED ? BUNDLED : existingFile(value)
export const existingFolder = existing((found) => found.isDirectory())

export function setting<T>(
  env: string,
  key: string,
  fallback: T,
  parse: (value: unknown) => T | undefined,
  expected: string,
): Setting<T> {
  return { env, key, fallback, parse, expected }
}

/** A setting without a default. */
export function optional<T>(
  env: string,
  key: string,
  parse: (value: unknown) => T | undefined,
  expected: string,
): Setting<T | null> {
  return { env, key, fallback: null, parse, expected }
}

/** One of these texts; the first is the default. */
export const choice = <const T extends string>(
  env: string,
  key: string,
  allowed: readonly [T, ...T[]],
  expected = allowed.join(', '),
): Setting<T> => setting<T>(env, key, allowed[0], (value) => allowed.find((one) => one === value), expected)

/** A whole number of the range. */
export const whole = (
  env: string,
  key: string,
  fallback: number,
  [least, most]: readonly [number, number],
  expected: string,
) => setting(env, key, fallback, integer(least, most), expected)

export const seconds = (env: string, key: string, fallback: number, most: number) =>
  whole(env, key, fallback, [1, most], `seconds, 1 to ${most}`)

export const byteCount = (env: string, key: string, fallback: number, expected: string) =>
  whole(env, key, fallback, [0, 2 ** 53 - 1], expected)

/** A key, a password, or what may hold one. */
export const secret = (
  env: string,
  key: string,
  parse = text,
  expected = 'a text',
): Setting<string | null> => ({ ...optional(env, key, parse, expected), secret: true })

export function readConfigFile(home: string): Record<string, unknown> {
  const file = join(home, 'config.json')
  if (!existsSync(file)) return {}
  try {
    const parsed = parseJsonFile(readFileSync(file))
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>
    throw new Error('not a JSON object')
  } catch (cause) {
    throw new AppError('INVALID_CONFIGURATION', {
      message: `${file} is not readable as a JSON object; mend or remove it.`,
      cause,
    })
  }
}

export interface Sources {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly file: Readonly<Record<string, unknown>>
}

/** The value of one setting from the place that wins. Throws INVALID_CONFIGURATION that names the place. */
export function readSetting<T>(
  { environment, home, file }: Sources,
  wanted: Setting<T>,
  override?: string,
): T {
  const [value, where] =
    override !== undefined
      ? [override, `--${wanted.key}`]
      : text(environment[wanted.env]) !== undefined
        ? [environment[wanted.env], wanted.env]
        : [file[wanted.key], `"${wanted.key}" in ${join(home, 'config.json')}`]
  if (value === undefined || value === null) return wanted.fallback
  const parsed = wanted.parse(value)
  if (parsed !== undefined) return parsed
  throw new AppError(
    'INVALID_CONFIGURATION',
    wanted.secret === true
      ? `${where} is not ${wanted.expected}.`
      : `${where} is ${JSON.stringify(value)}; expected ${wanted.expected}.`,
  )
}

/** A table of settings, read: each value in the place of its setting. */
export type SettingValues<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer T> ? T : SettingValues<Table[Name]>
}

export function readTable<Table extends object>(
  table: Table,
  read: (wanted: Setting<unknown>) => unknown,
): SettingValues<Table> {
  const values = Object.entries(table).map(([name, entry]: [string, object]) => [
    name,
    'parse' in entry ? read(entry as Setting<unknown>) : readTable(entry, read),
  ])
  return Object.fromEntries(values) as SettingValues<Table>
}

/**
 * The value in a file's bytes. Editors and shells of Windows begin a file with a mark of its encoding, or write UTF-16
 * with one: both are read. Throws SyntaxError for what is no JSON.
 */
export function parseJsonFile(bytes: Uint8Array): unknown {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8'
  return JSON.parse(new TextDecoder(encoding).decode(bytes)) as unknown
}

/** An OIDC provider, and which of its services may call. */
export interface ServiceIdentityProvider {
  /** As its tokens name it, to the letter. */
  readonly issuer: string
  /** What its tokens must be meant for. */
  readonly audience: string
  /** Where its public keys are; https, or http on this machine. */
  readonly jwksUri: string
  /** `sub` or verified `email` of the services that may call; no others may. */
  readonly subjects: readonly string[]
}

export const EXPECTED_PROVIDERS =
  'a list of { "issuer", "audience", "jwksUri" (https), "subjects": [at least one] }'

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

function isKeyAddress(value: unknown): value is string {
  if (!isText(value) || !URL.canParse(value)) return false
  const { protocol, hostname } = new URL(value)
  return (
    protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
  )
}

function provider(value: unknown): ServiceIdentityProvider | null {
  const { issuer, audience, jwksUri, subjects } = (value ?? {}) as Record<string, unknown>
  const named = Array.isArray(subjects) && subjects.length > 0 && subjects.every(isText)
  return isText(issuer) && isText(audience) && isKeyAddress(jwksUri) && named
    ? { issuer, audience, jwksUri, subjects: subjects }
    : null
}

/** A list, or the JSON text of one; undefined for anything else. */
export function parseProviders(value: unknown): readonly ServiceIdentityProvider[] | undefined {
  let given = value
  if (typeof value === 'string') {
    try {
      given = JSON.parse(value)
    } catch {
      // Not JSON: not a list of providers.
      return undefined
    }
  }
  if (!Array.isArray(given)) return undefined
  const providers = given.map(provider)
  return providers.every((one) => one !== null) ? providers : undefined
}
