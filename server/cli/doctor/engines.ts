/** Checks of what does the work: ffmpeg and its encoders, the graphics card, ONNX, the database. */
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Config } from '../../config/config.ts'
import { PROVIDER_TITLES } from '../../contract/inference.ts'
import { AppError } from '../../contract/errors.ts'
import { homePaths } from '../../home.ts'
import type { ProviderSource } from '../../../workers/inference/providers.ts'
import { lacking, USEFUL } from '../../../workers/media/arguments/needs.ts'
import { detectConfinement } from '../../../workers/media/confine.ts'
import { chooseEncoder, describeTrials, tryEncoders } from '../../../workers/media/encoder-probe.ts'
import { describeCards, tryCards } from '../../../workers/media/card-probe.ts'
import { readCapabilities } from '../../../workers/media/tools.ts'
import { titleOfOrigin } from '../../../workers/media/arguments/choose-ffmpeg.ts'
import { compareFfmpegs, takeFfmpeg } from '../../adapters/ffmpegs.ts'
import { trialFilms } from '../../adapters/tool-notes.ts'
import { isForbidden, isOutOfRoom } from '../../db/opening-failures.ts'
import { failure, ok, reason, warning, type Check } from './check.ts'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { speechServerState, trySpeechServer } from '../../domain/settings/model-servers.ts'
import { isThisMachine } from '../../reachable.ts'
import { listModels } from '../../domain/models/models.ts'

export async function checkTools(config: Config): Promise<Check[]> {
  try {
    const found = await compareFfmpegs(config)
    const { taken, reason: why, tools } = takeFfmpeg(config, found)
    const refused = found.flatMap(({ ffmpeg, problem }) =>
      problem === null ? [] : [`not ${ffmpeg}: ${problem}`],
    )
    return [
      ok('ffmpeg', [tools.version, `${titleOfOrigin(taken.origin)}: ${why}`, ...refused].join('; ')),
      ...(await checkCapabilities(tools.paths.ffmpeg)),
      await checkCards(tools.paths.ffmpeg, config),
      await checkConfinement(),
    ]
  } catch (error) {
    return [
      failure(
        'ffmpeg',
        reason(error),
        'See which are here and what is wrong with them: `cutroom ffmpeg list`.',
      ),
    ]
  }
}

async function checkCapabilities(ffmpeg: string): Promise<Check[]> {
  const built = await readCapabilities(ffmpeg)
  const missing = lacking(built)
  const mend = 'Use another build: `cutroom ffmpeg list` says which are here.'
  if (missing.length > 0) return [failure('encoders', `this ffmpeg lacks ${missing.join(', ')}`, mend)]
  const h264 = [...built.encoders].filter((name) => /^(libx264|h264_)/u.test(name) && name !== 'libx264rgb')
  const { encoders, decoders, filters } = built
  const table = `${filters.size} filters, ${encoders.size} encoders, ${decoders.size} decoders`
  const less = USEFUL.filter(({ filter }) => !filters.has(filter))
  return [
    ok('encoders', `${table}; built in for H.264: ${h264.join(', ')}`),
    ...less.map(({ filter, use }) => warning(`filter ${filter}`, `not built in: needed for ${use}`, mend)),
  ]
}

/**
 * Files come from anywhere, so a defect in ffmpeg could be exploited by one: the process is confined where the system
 * allows.
 */
async function checkConfinement(): Promise<Check> {
  const { lacking } = await detectConfinement()
  if (lacking.length === 0)
    return ok('confinement', 'ffmpeg sees its own files only, without a network and with limited memory')
  const mend =
    'On Linux install bubblewrap and util-linux, and allow namespaces (kernel.unprivileged_userns_clone, AppArmor, RestrictNamespaces of the service).'
  return warning('confinement', `ffmpeg is not fully confined: ${lacking.join('; ')}`, mend)
}

/** What is listed often does not work (no driver, no card), so each is made to encode and to decode pictures. */
async function checkCards(ffmpeg: string, { encoder: preference, resources }: Config): Promise<Check> {
  if (preference === 'software')
    return ok('gpu', 'the configuration asks for encoding in software, and nothing is decoded on a card')
  const trials = await tryEncoders(ffmpeg, preference, { all: true })
  const encoder = chooseEncoder(preference, trials)
  const { way, complaint } = encoder
  const place = { films: trialFilms(resources), temporary: tmpdir() }
  const cards = await tryCards(ffmpeg, { preference, encoder, place }, { all: true })
  const decoding = cards.find(({ why }) => why === null)?.card
  const decodes =
    decoding === undefined ? 'the processor decodes' : `decoding on ${decoding}, where it takes the source`
  const tried = [...describeTrials(trials), ...describeCards(cards)]
  const others = `, ${decodes}${tried.length === 0 ? '' : ` (${tried.join('; ')})`}`
  if (complaint !== undefined) {
    const isAbsent = trials.trials.length === 0
    const mend = isAbsent
      ? 'Set CUTROOM_ENCODER to auto, or use an ffmpeg that has it: `cutroom ffmpeg list`.'
      : 'Set CUTROOM_ENCODER to auto, or mend the driver that the reason names.'
    const state = isAbsent ? 'cannot be used' : 'does not work'
    return warning('gpu', `the encoder ${preference} ${state} here: encoding in software${others}`, mend)
  }
  return ok(
    'gpu',
    way === 'software'
      ? `no hardware encoder works here: encoding in software${others}`
      : `encoding with ${way}${others}`,
  )
}

/** What models run on: a model of one number is opened on each provider that would be tried. */
export async function checkInference(
  { inference }: Pick<Config, 'inference'>,
  source?: ProviderSource,
): Promise<Check> {
  const complaints: string[] = []
  try {
    const [{ runtimeBackends }, { openSession }, { tinyModel }] = await Promise.all([
      import('../../../workers/inference/providers.ts'),
      import('../../../workers/inference/session.ts'),
      import('../../../workers/inference/session.ts'),
    ])
    const preference = { inference, warn: (message: string) => void complaints.push(message) }
    const { session, provider } = await openSession(tinyModel(), preference, {}, source)
    await session.release()
    const backends = (source?.backends ?? runtimeBackends)()
    const names = (there: boolean) =>
      backends.flatMap(({ name, complete }) => (complete === there ? [name] : [])).join(', ')
    const absent = names(false)
    const has = `the runtime has ${names(true)}${absent === '' ? '' : `; not installed: ${absent}`}`
    const [complaint] = complaints
    return complaint === undefined
      ? ok('onnx', `models run on ${PROVIDER_TITLES[provider]} (${has})`)
      : warning('onnx', `${complaint} (${has})`, 'Mend the driver, or set CUTROOM_INFERENCE to cpu.')
  } catch (error) {
    const mend = 'Run `npm ci` again; without it only captions that come with a video can be used.'
    return warning('onnx', `the runtime does not load: ${reason(error)}`, mend)
  }
}

export async function checkDatabase(config: Config): Promise<Check> {
  const home = homePaths(config.home)
  const file = home.database
  try {
    const { requireOwnDatabase } = await import('../../home-identity.ts')
    requireOwnDatabase(home)
    if (!existsSync(file)) return ok('database', 'made at the first start')
    const [{ default: Database }, { migrationsFolder }, { NEWER, standingOf }, { findDamage }] =
      await Promise.all([
        import('better-sqlite3'),
        import('../../db/client.ts'),
        import('../../db/upgrade.ts'),
        import('../../db/full-check/find-damage.ts'),
      ])
    const sqlite = new Database(file, { readonly: true })
    try {
      const damage = findDamage(sqlite)
      if (damage === null && standingOf(sqlite, migrationsFolder()) === 'newer')
        return failure('database', NEWER, 'Install the newer version, or `cutroom restore FILE`.')
      return damage === null
        ? ok('database', `SQLite ${String(sqlite.prepare('select sqlite_version()').pluck().get())}, sound`)
        : failure('database', damage, 'Put back a copy: `cutroom restore FILE`.')
    } finally {
      sqlite.close()
    }
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'HOME_DATABASE_LOST')
      return failure('database', thrown.message, '`cutroom restore FILE`, or `cutroom home adopt`.')
    if (thrown instanceof AppError && thrown.code === 'NOT_IN_CHARGE')
      return warning('database', thrown.message, 'See the check of the standby.')
    const error = thrown instanceof AppError ? (thrown.cause ?? thrown) : thrown
    if (isForbidden(error))
      return failure(
        'database',
        `${file}: ${reason(error)}`,
        'Give your user the right to read and write it.',
      )
    if (isOutOfRoom(error))
      return failure(
        'database',
        `${file}: ${reason(error)}`,
        'Make room on the disk; if it has some, it fails.',
      )
    return failure('database', reason(error), 'Put back a copy: `cutroom restore FILE`.')
  }
}

const MEND = 'Install the appliance again: its folder is not whole.'

/** Each font is opened as the export opens it; of the large ones, which are opened by need, the parts are looked for. */
export async function checkFonts({ resources }: Pick<Config, 'resources'>): Promise<Check> {
  try {
    const { registerFonts } = await import('../../../workers/render-support/fonts.ts')
    const { fonts, parts } = await registerFonts(resources)
    const files = parts.flatMap(({ folder, files }) => Object.keys(files).map((name) => join(folder, name)))
    const there = await Promise.all(
      files.map((file) =>
        stat(join(resources, 'fonts', file)).then(
          (facts) => facts.isFile() && facts.size > 0,
          () => false,
        ),
      ),
    )
    const missing = files.filter((_, index) => there[index] !== true)
    return missing.length === 0
      ? ok('fonts', `${fonts.length} fonts, and ${files.length} parts of the large ones`)
      : failure('fonts', `missing or empty: ${missing.slice(0, 3).join(', ')}`, MEND)
  } catch (error) {
    return failure('fonts', reason(error), MEND)
  }
}

const IN_STUDIO = 'under Settings, Language and speech'

/**
 * Without the studio's own speech server no video without captions can be used where it is configured. `environment`:
 * without what was entered in the studio.
 */
export async function checkSpeechServer(
  config: Pick<Config, 'speechServer' | 'network'>,
  environment: Pick<Config, 'speechServer'> = config,
): Promise<Check[]> {
  const server = speechServerState(config)
  const inStudio = environment.speechServer.url === null
  if (server.state === 'off') return []
  if (server.state === 'refused')
    return [
      inStudio
        ? failure('speech server', 'its key cannot be read here', `Enter it again ${IN_STUDIO}.`)
        : failure('speech server', server.why, 'Set CUTROOM_ASR_MODEL.'),
    ]
  const { host, hostname } = new URL(server.access.address)
  // That it is not contacted is a line of the network.
  if (config.network === 'off' && !isThisMachine(hostname)) return []
  const { works, said } = await trySpeechServer(server.access)
  const found = `${server.access.model} at ${host} transcribes speech: ${said}`
  if (works) return [ok('speech server', found)]
  const otherwise = inStudio ? `remove it ${IN_STUDIO}` : 'unset CUTROOM_ASR_URL'
  return [failure('speech server', found, `Start it and mend its settings, or ${otherwise}.`)]
}

export async function checkModels(config: Config): Promise<Check[]> {
  const models = await listModels(config)
  const tasks = [...new Set(models.map(({ task }) => task))].filter(
    (task) => task !== 'speech' || config.speechServer.url === null,
  )
  const broken = models.flatMap(({ name, problem, install }) =>
    problem === null
      ? []
      : [
          warning(
            `model ${name}`,
            `is there and is not used: ${problem}`,
            `${install}; or, if it is not wanted: cutroom models remove ${name}`,
          ),
        ],
  )
  const found = tasks.flatMap((task) => {
    const of = models.filter((model) => model.task === task && !model.development)
    const used = of.find(({ inUse }) => inUse)
    const name = `model for ${task}`
    if (used !== undefined) return [ok(name, `${used.name} in ${used.folder ?? ''}`)]
    const usual = of.find(({ recommended }) => recommended)
    if (usual === undefined) return []
    const found =
      task === 'speech'
        ? 'none is installed: only videos that come with captions can be used'
        : 'none is installed: the work is done without it'
    return [warning(name, found, usual.install)]
  })
  return [...found, ...broken]
}
