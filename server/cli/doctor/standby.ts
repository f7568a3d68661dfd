/** Which of two appliances this home is, where it is one of two. */
import type { Config } from '../../config/config.ts'
import { failure, ok, reason, warning, type Check } from './check.ts'

export async function checkStandby(config: Config): Promise<Check[]> {
  const { readStanding } = await import('../../domain/standby/standing.ts')
  const standing = readStanding({ root: config.home })
  if (config.standby === 'off')
    return standing === null
      ? []
      : [
          failure(
            'standby',
            'this home is one of two appliances, and CUTROOM_STANDBY is off',
            'Set it to on; where the other one is gone for good, remove standby.json from the home.',
          ),
        ]
  try {
    const { findHead, isFenced, openStandbyPlace } = await import('../../domain/standby/place.ts')
    const place = openStandbyPlace(config)
    const head = await findHead(place)
    if (head === null) return [ok('standby', `nobody was in charge yet at ${place.place}`)]
    const { epoch, beginning } = head
    const who = `epoch ${epoch}, on ${beginning.machine}, since ${new Date(beginning.at).toISOString()}`
    if (beginning.holder === standing?.holder && !(await isFenced(place, epoch)))
      return [ok('standby', `this home is in charge (${who})`)]
    if (standing?.role === 'follows')
      return standing.epoch === epoch
        ? [ok('standby', `this home follows (${who}), and has ${standing.change} of its changes`)]
        : [warning('standby', `this home does not follow yet (${who})`, 'Have it run: cutroom standby.')]
    return [
      failure(
        'standby',
        `another appliance is in charge (${who})`,
        'Have this one follow it (cutroom standby), or take over (cutroom standby promote).',
      ),
    ]
  } catch (error) {
    return [
      failure(
        'standby',
        reason(error),
        'Mend CUTROOM_STORE and what it names; nothing is answered meanwhile.',
      ),
    ]
  }
}
