/** What may leave this machine, as the settings are. */
import type { Config } from '../../config/config.ts'
import { OUTBOUND } from '../../domain/network/outbound.ts'
import { isThisMachine } from '../../reachable.ts'
import { ok, warning, type Check } from './check.ts'

/** One line for the setting, and one per purpose that may contact another machine; docs/network.md lists them all. */
export function checkNetwork(config: Config): Check[] {
  if (config.network === 'off')
    return [ok('network', 'off: nothing but this machine is contacted'), ...outsideAllTheSame(config)]
  const open = OUTBOUND.flatMap((purpose) => {
    const now = purpose.now(config)
    return now === null ? [] : [ok(`network ${purpose.name}`, `${purpose.title}: ${now}`)]
  })
  const count = `${open.length} of ${OUTBOUND.length} purposes may contact other machines when they are asked to`
  return [ok('network', `on: ${count} (docs/network.md); CUTROOM_NETWORK=off turns all off`), ...open]
}

/** Settings that name other machines, though none is contacted. */
function outsideAllTheSame({ languageModel, queue, redisUrl }: Config): Check[] {
  const named = [
    ['CUTROOM_LLM_URL', languageModel.url],
    ['CUTROOM_REDIS_URL', queue === 'bullmq' ? redisUrl : null],
  ] as const
  return named.flatMap(([setting, url]) =>
    url === null || isThisMachine(new URL(url).hostname)
      ? []
      : [
          warning(
            `network ${setting}`,
            `${new URL(url).host} is not on this machine, and is not contacted`,
            `Unset ${setting}, or set CUTROOM_NETWORK to on.`,
          ),
        ],
  )
}
