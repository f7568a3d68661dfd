/**
 * Everything by which the appliance may turn to another machine. `cutroom doctor` reads it, docs/network.md is written from
 * it, and a test holds that no module connects to anything without standing here.
 */
import type { Config } from '../../config/config.ts'
import { isBucket, storeAddress } from '../backups/place.ts'

export interface Outbound {
  /** What scripts look for: `sources`. */
  readonly name: string
  readonly title: string
  readonly when: string
  readonly where: string
  /** What turns it off; CUTROOM_NETWORK=off turns all of them off. */
  readonly off: string
  /** Done by the desktop shell, whose settings doctor does not know. */
  readonly shell?: true
  /** With the settings as they are: what may be contacted, or null for nothing. */
  readonly now: (config: Config) => string | null
  /** The files that connect. */
  readonly modules: readonly string[]
}

const reach = ({ sources }: Config): string =>
  sources === 'public' ? 'public addresses only' : 'any address but link-local and metadata ones'

const ingest = (file: string): string => `workers/stages/ingest/${file}.ts`
const record = (file: string): string => `workers/stages/record/${file}.ts`

export const OUTBOUND: readonly Outbound[] = [
  {
    name: 'sources',
    title: 'Videos of runs',
    when: 'A run names its video by an address.',
    where: 'The host of that address, hosts that it redirects to, and captions that lie beside it.',
    off: 'Bring videos by upload or by `cutroom run FILE`; `CUTROOM_SOURCES=public` keeps to public addresses.',
    now: reach,
    modules: [
      ingest('download'),
      ingest('transfer'),
      ingest('sidecars'),
      ingest('stage'),
      ingest('web'),
      ingest('guard'),
    ],
  },
  {
    name: 'pages',
    title: 'Videos on web pages',
    when: 'A run names a web page, and yt-dlp is installed.',
    where: 'What yt-dlp asks, each connection through a guard on this machine.',
    off: 'No yt-dlp on the PATH and no `CUTROOM_YT_DLP`, or an owner turns it off under Settings, Appliance.',
    now: (config) => (config.ytDlp === null ? null : `whatever ${config.ytDlp} asks, ${reach(config)}`),
    modules: [ingest('guard-proxy'), ingest('video-page'), ingest('yt-dlp')],
  },
  {
    name: 'streams',
    title: 'Livestreams',
    when: 'A run names a stream (HLS, RTMP, SRT).',
    where: 'The host of the stream, and hosts that its playlists name.',
    off: '`CUTROOM_SOURCES=public` keeps to public addresses.',
    now: reach,
    modules: [record('fetcher'), record('pull-rtmp'), record('rtmp/client'), record('pull-srt')],
  },
  {
    name: 'assets',
    title: 'Files that clips name',
    when: 'A workflow or a clip names a picture, a sound, a video or a font by an address.',
    where: 'The host of that address, and hosts that it redirects to.',
    off: 'Put files into the library, and name them from there.',
    now: reach,
    modules: ['workers/stages/fetch-asset/fetch-file.ts'],
  },
  {
    name: 'pictures',
    title: 'Services that have pictures',
    when: 'A workflow with b-roll allows a service, and its key is given.',
    where: 'www.googleapis.com, api.gettyimages.com, and hosts of the pictures that they name.',
    off: 'Give no key (`CUTROOM_GOOGLE_IMAGES_KEY`, `CUTROOM_YOUTUBE_KEY`, `CUTROOM_GETTY_KEY`).',
    now: ({ pictureServices }) => {
      const given = Object.entries(pictureServices).filter(([, { key }]) => key !== null)
      return given.length === 0 ? null : given.map(([name]) => name).join(', ')
    },
    modules: ['workers/stages/search-broll/ask.ts', 'workers/stages/fetch-broll/stage.ts'],
  },
  {
    name: 'language-model',
    title: 'A language model of your own',
    when: 'An address is given, and clips were found, somebody tries the model in the settings, or the chat about a clip calls it. One on this machine is called with the network off, too.',
    where: 'The address in `CUTROOM_LLM_URL`, or the one that an owner set in the studio.',
    off: 'Give no `CUTROOM_LLM_URL`, and remove it under Settings, Language and speech.',
    now: ({ languageModel: { url } }) => (url === null ? null : new URL(url).host),
    modules: [
      'workers/stages/judge-clips/ask-model.ts',
      'server/adapters/language-model.ts',
      'server/adapters/chat-model.ts',
    ],
  },
  {
    name: 'speech-server',
    title: 'A speech server of your own',
    when: 'An address is given, and the speech of a video is transcribed whose workflow names no model, or `cutroom doctor` looks whether it answers. One on this machine is called with the network off, too.',
    where:
      'The address in `CUTROOM_ASR_URL`, with the sound of the parts in which somebody speaks; redirects are not followed.',
    off: 'Give no `CUTROOM_ASR_URL`, and remove it under Settings, Language and speech.',
    now: ({ speechServer: { url } }) => (url === null ? null : new URL(url).host),
    modules: ['workers/stages/speech/server-decoder.ts', 'server/adapters/language-model.ts'],
  },
  {
    name: 'models',
    title: 'Download of models',
    when: '`cutroom models install` without `--from`, or a run that needs one where `CUTROOM_ALLOW_DOWNLOADS` allows it.',
    where: 'The addresses in models/manifest.json, by the proxy of the machine if one is set.',
    off: '`CUTROOM_ALLOW_DOWNLOADS=false` (as it is by default); `cutroom models install --from FOLDER`.',
    now: ({ allowModelDownloads }) =>
      allowModelDownloads ? 'when a run needs one, and by command' : 'by command only',
    modules: ['models/download.ts'],
  },
  {
    name: 'ffmpeg',
    title: 'Download of ffmpeg',
    when: '`cutroom ffmpeg install` without `--from`; never by itself.',
    where: 'The address in server/adapters/ffmpeg-download.ts, by the proxy of the machine if one is set.',
    off: '`cutroom ffmpeg install --from FILE`, or the ffmpeg of the system.',
    now: () => 'by command only',
    modules: ['models/download.ts'],
  },
  {
    name: 'social',
    title: 'Platforms',
    when: 'An account is connected, a post is published, or figures of published posts are refreshed.',
    where: 'The interfaces of the platform of that account (for Bluesky the server of the account).',
    off: 'Connect no account.',
    now: () => 'platforms of connected accounts (`cutroom social list`)',
    modules: ['server/adapters/social/http.ts'],
  },
  {
    name: 'webhooks',
    title: 'Webhooks',
    when: 'Something happened that a webhook wants to be told of.',
    where: 'The address of the webhook; redirects are not followed.',
    off: 'Register none (`cutroom webhook list`); `CUTROOM_SOURCES=public` keeps to public addresses.',
    now: (config) => `registered webhooks, ${reach(config)}`,
    modules: ['server/adapters/webhook-sender.ts'],
  },
  {
    name: 'identity',
    title: 'Keys of identity providers',
    when: 'A service calls `/internal/` with a token of a provider whose keys are not known yet.',
    where: 'The `jwksUri` of that provider.',
    off: 'Name no provider in `CUTROOM_SERVICE_IDENTITY`.',
    now: ({ serviceIdentity }) =>
      serviceIdentity.length === 0
        ? null
        : serviceIdentity.map(({ jwksUri }) => new URL(jwksUri).host).join(', '),
    modules: ['server/domain/access/service-tokens.ts', ingest('guarded-fetch')],
  },
  {
    name: 'sign-in',
    title: 'The identity provider that people sign in at',
    when: 'Somebody signs in with the provider that an owner has set up in the settings, or an owner tests it. One on this machine is called with the network off, too.',
    where: 'The issuer, and the addresses that its discovery document names.',
    off: 'Set up no provider.',
    now: () => 'the provider in the settings, if one is set up',
    modules: ['server/adapters/identity-provider.ts', ingest('guarded-fetch')],
  },
  {
    name: 'queue',
    title: 'Worker nodes',
    when: 'The queue is in Redis; or this machine is a worker node (`cutroom worker`). With `CUTROOM_STANDBY=on` and a Redis, every other second.',
    where: 'Redis at `CUTROOM_REDIS_URL`; from a worker node, its appliance.',
    off: '`CUTROOM_QUEUE=sqlite` (as it is by default). With the network off Redis must be on this machine.',
    now: ({ queue, redisUrl, standby }) =>
      (queue === 'sqlite' && standby === 'off') || redisUrl === null ? null : new URL(redisUrl).host,
    modules: [
      'server/jobs/remote/redis.ts',
      'server/jobs/remote/channel.ts',
      'server/worker-node/queues.ts',
      'server/worker-node/appliance.ts',
      'server/cli/doctor/machine.ts',
    ],
  },
  {
    name: 'backups',
    title: 'Backups in a bucket',
    when: '`CUTROOM_BACKUP_TO` names a bucket: each minute in which something was changed, and by `cutroom backups` and `restore`.',
    where: 'The store at `CUTROOM_S3_ENDPOINT`, without it Amazon’s of the region.',
    off: 'Name a folder, or nothing. With the network off the store must be on this machine.',
    now: ({ backups: { to }, s3 }) => (to !== null && isBucket(to) ? new URL(storeAddress(s3)).host : null),
    modules: ['server/adapters/s3-bucket.ts'],
  },
  {
    name: 'store',
    title: 'Footage and results in a bucket',
    when: '`CUTROOM_STORE` names one: whenever something is made, missing in the home, shown from there or removed, by `cutroom store move`, and by a worker node for the task that it has. With `CUTROOM_STANDBY=on` also whenever something is stored, and every few seconds.',
    where: 'The store at `CUTROOM_S3_ENDPOINT`, without it Amazon’s of the region.',
    off: 'Name none (as it is by default). With the network off the store must be on this machine.',
    now: ({ store, s3 }) => (store === null ? null : new URL(storeAddress(s3)).host),
    modules: ['server/adapters/s3-bucket.ts', 'server/worker-node/bucket.ts'],
  },
  {
    name: 'traces',
    title: 'Traces of runs',
    when: 'A collector is named, and a run, or a stage of it on a worker node, has ended.',
    where:
      'The collector at `CUTROOM_OTLP_ENDPOINT`, with ids, kinds, times and codes of failures; no titles, names of files or addresses.',
    off: 'Name none (as it is by default). With the network off the collector must be on this machine.',
    now: ({ traces: { endpoint } }) => (endpoint === null ? null : new URL(endpoint).host),
    modules: ['server/adapters/webhook-sender.ts'],
  },
  {
    name: 'updates',
    title: 'Newer versions',
    when: 'The desktop app was given an address to look at (`updateAddress` in its settings); once a day.',
    where: '`latest.json` at that address. Nothing is fetched but that text, and nothing is installed.',
    off: 'Give it no address (as it is by default).',
    shell: true,
    now: () => null,
    modules: ['main/updates.ts'],
  },
]

/** Source files that connect only to this machine, or not at all, and why. */
export const LOCAL_ONLY: Readonly<Record<string, string>> = {
  'main/talk.ts': 'asks the appliance that the desktop app has started',
  'server/cli/demo-client.ts': 'asks the appliance that the demo has started on this machine',
  'server/http/mcp/server.ts': 'hands requests to a handler in this process',
  'workers/block-network.ts': 'refuses connections',
  'workers/stages/record/take-segment.ts': 'calls a function of its own that has this name',
}

const INTRODUCTION = `# What leaves this machine

By itself the appliance contacts nobody: it has no telemetry, no licence server, it looks for no newer version, and its
studio loads nothing from elsewhere. What people ask of it may need other machines. This page lists all of that; it is written from the
registry in \`server/domain/network/outbound.ts\`, and \`cutroom doctor\` says what of it the settings allow at the moment.

With \`CUTROOM_NETWORK=off\` (or \`"network": "off"\` in config.json) nothing but this machine is contacted, and no name is
looked up: not for a run, not for a library inside, not by ffmpeg. What would need it ends with a sentence that names the
setting. Requests to the appliance are a matter of \`CUTROOM_HOST\`, which is this machine alone by default.

Three things hold that: each path below asks one place what it may connect to (\`server/reachable.ts\`) and is judged at the
socket, on every hop; each process refuses any other connection, datagram and name lookup (\`workers/block-network.ts\`); and
ffmpeg runs in a network namespace of its own where the system allows it. \`test/e2e/zero-egress.test.ts\` shows it in a
network namespace without a route: the kernel counts every packet that finds none, and there is none.

Native code of libraries is not held by the first two. The one that would talk by itself is the runtime of models, whose
telemetry is switched off before it starts, whatever \`CUTROOM_NETWORK\` says (\`models/no-telemetry.ts\`).
`

const ENDING = `## Not by the appliance

- \`npm ci\` asks the package registry while an appliance is installed from its sources. Packages and the air-gap bundle hold
  all that they need.
- A link that leads outside opens in the browser of the person who clicks it.
- Whoever plays a clip from the appliance asks the appliance; media addresses point nowhere else.
`

/** The whole page. */
export function networkPage(): string {
  const parts = OUTBOUND.map(({ title, name, when, where, off, modules, shell }) =>
    [
      `## ${title}`,
      '',
      ...(shell ? [] : [`- **Name in doctor**: \`network ${name}\``]),
      `- **When**: ${when}`,
      `- **To where**: ${where}`,
      `- **Turned off by**: \`CUTROOM_NETWORK=off\`. Besides: ${off}`,
      `- **Code**: ${modules.map((file) => `\`${file}\``).join(', ')}`,
      '',
    ].join('\n'),
  )
  return [INTRODUCTION, ...parts, ENDING].join('\n')
}
