/** Which of two appliances this home is, where it is one of two. */
import type { Config } from '../../config/config.ts'
import type { BackupStore } from '../../domain/backups/store.ts'
import type { Standing } from '../../domain/standby/standing.ts'
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
            'Set it to on; where the other one is gone for good, remove standby.json from the home and the folder standby from the store.',
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
      return [ok('standby', `this home is in charge (${who})`), await checkFollowers(place, standing.holder)]
    if (standing?.role === 'follows') return await checkFollowing(place, { standing, epoch, who })
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

/** Of the one in charge: who follows it. */
async function checkFollowers(place: BackupStore, own: string): Promise<Check> {
  const { GONE_MS, listFollowerNotes } = await import('../../domain/standby/followers.ts')
  const notes = [...(await listFollowerNotes(place))].flatMap(([holder, note]) =>
    holder === own ? [] : [note],
  )
  const there = notes.filter(({ at }) => Date.now() - at < GONE_MS)
  const names = there.map(({ machine }) => machine).join(', ')
  if (there.some(({ keyFits }) => !keyFits))
    return failure(
      'standby',
      `the standby (${names}) has another secret.key: after a takeover it could not use connected accounts and webhooks`,
      'Copy secret.key from this home to that of the standby, and start `cutroom standby` again.',
    )
  if (there.length > 0) return ok('standby', `it is followed (${names})`)
  const last = notes.map(({ machine, at }) => `${machine}, last heard of ${new Date(at).toISOString()}`)
  return warning(
    'standby',
    `no standby follows it${last.length === 0 ? '' : ` (${last.join('; ')})`}`,
    'Start `cutroom standby` on the other machine.',
  )
}

interface FollowingFacts {
  readonly standing: Standing
  readonly epoch: number
  readonly who: string
}

/** Of the one that follows. */
async function checkFollowing(
  place: BackupStore,
  { standing, epoch, who }: FollowingFacts,
): Promise<Check[]> {
  if (standing.epoch !== epoch)
    return [warning('standby', `this home does not follow yet (${who})`, 'Have it run: cutroom standby.')]
  const { readFollowerNote } = await import('../../domain/standby/followers.ts')
  const isSealed = (await readFollowerNote(place, standing.holder))?.keyFits === false
  return [
    ok('standby', `this home follows (${who}), and has ${standing.change} of its changes`),
    ...(isSealed
      ? [
          failure(
            'standby',
            'its secret.key is not that of the appliance in charge',
            'Copy secret.key from that home to this one, and start `cutroom standby` again.',
          ),
        ]
      : []),
  ]
}
