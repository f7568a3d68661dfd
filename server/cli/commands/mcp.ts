import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { issueDelegation } from '../../domain/access/delegations.ts'
import type { Services } from '../../domain/services.ts'
import { authoriseMcp, type McpSession } from '../../http/mcp/call.ts'
import { createMcpServer } from '../../http/mcp/server.ts'
import { createQueryReader } from '../../jobs/query-reader.ts'
import { readRunningAppliance } from '../../jobs/home-lock.ts'
import { applicationVersion } from '../../config/config.ts'
import { defineCommand, EXIT, required } from '../command.ts'
import { withServices } from '../open-home.ts'
import { stopSignal } from '../stop-signal.ts'

const LIFE_SECONDS = 3600
const RENEW_BEFORE_MS = 10 * 60_000

/** Delegations for this process alone, a new one before the old one ends. */
function ownSession(
  services: Services,
  who: { readonly clientId: string; readonly companyId: string; readonly subject: string },
): McpSession {
  const { config, home, now } = services
  let current: { token: string; endsAt: number } | null = null
  return {
    baseUrl: config.publicUrl ?? readRunningAppliance(home)?.url ?? `http://${config.host}:${config.port}`,
    token: async () => {
      if (current === null || current.endsAt - now() < RENEW_BEFORE_MS) {
        const token = await issueDelegation(services, { ...who, lifeSeconds: LIFE_SECONDS })
        current = { token, endsAt: now() + LIFE_SECONDS * 1000 }
      }
      return current.token
    },
    waits: () =>
      readRunningAppliance(home) === null
        ? `No appliance is running on ${home.root}: this begins when one is started (cutroom serve).`
        : null,
  }
}

async function serveStdio(services: Services, session: McpSession): Promise<void> {
  const server = createMcpServer(services, session, applicationVersion())
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve
    // The SDK does not take the end of its input for an end.
    process.stdin.once('end', () => resolve()).once('close', () => resolve())
  })
  await server.connect(new StdioServerTransport())
  await Promise.race([closed, stopSignal()])
  await server.close()
}

/** Tools for an agent on this machine, over stdin and stdout. */
export const mcp = defineCommand({
  summary: 'Serve the tools of the domain API to an agent, by MCP over stdin and stdout',
  options: {
    client: required('ID', 'the calling client'),
    company: required('ID', 'the tenant it acts for'),
    subject: required('S', 'the person behind it'),
  },
  examples: {
    'cutroom mcp --client assistant --company local --subject ada':
      'What an agent starts as its MCP server; runs, renders and posts are carried out by the appliance on the home.',
  },
  run: async ({ options }) => {
    const { client: clientId, company: companyId, subject } = options
    await withServices(options, async (services) => {
      const session = ownSession(services, { clientId, companyId, subject })
      // Refused at once rather than at the first call: no client, no grant, no feature.
      await authoriseMcp(services, await session.token())
      // The agent's own, so that it searches by meaning also while no appliance runs.
      const queries = createQueryReader(services)
      try {
        const jobs = { ...services.jobs, readQuery: queries.read }
        await serveStdio({ ...services, jobs }, session)
      } finally {
        await queries.stop()
      }
    })
    return EXIT.done
  },
})
