/** docs/network.md, from the registry. */
import { OUTBOUND } from './outbound.ts'

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
