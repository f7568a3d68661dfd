/** Where footage and results lie: from the home into a bucket, and back. */
import { AppError } from '../../contract/errors.ts'
import { isBucket } from '../../domain/backups/place.ts'
import { moveObjects, removeObjects } from '../../domain/store/move-objects.ts'
import { openFolderObjects } from '../../domain/store/object-store.ts'
import { openObjects } from '../../domain/store/open-objects.ts'
import { acquireHomeLock } from '../../jobs/home-lock.ts'
import { flag, optional, required } from '../command.ts'
import { defineHomeCommand } from '../open-home.ts'
import { progressReporter } from '../terminal.ts'

const HOME = 'home'

/** Copies all of it, verified. */
export const storeMove = defineHomeCommand({
  summary: 'Copy footage and results from the home into a bucket, or back, while the appliance is stopped',
  options: {
    to: required('PLACE', 's3://BUCKET/PREFIX, or home'),
    from: optional('PLACE', 'where it comes from; left out: the other of home and CUTROOM_STORE'),
    remove: flag('remove it where it was, once all of it has arrived; never from the home'),
  },
  examples: {
    'cutroom store move --to s3://studio/cutroom': 'Then set CUTROOM_STORE to it and start the appliance.',
    'cutroom store move --to home': 'All of it comes back from CUTROOM_STORE; then take that setting out.',
  },
  run: async ({ services, options, terminal }) => {
    const { config, home } = services
    const named = options.from ?? (options.to === HOME ? config.store : HOME)
    if (named === null)
      throw new AppError('INVALID_REQUEST', 'Name where it comes from with --from, or set CUTROOM_STORE.')
    for (const place of [named, options.to])
      if (place !== HOME && !isBucket(place))
        throw new AppError(
          'INVALID_REQUEST',
          `"${place}" is neither a bucket (s3://BUCKET/PREFIX) nor "home".`,
        )
    if (named === options.to) throw new AppError('INVALID_REQUEST', 'It is there already.')
    const open = (place: string) =>
      place === HOME ? openFolderObjects(home.root) : openObjects(place.replace(/\/$/, ''), config)
    const lock = acquireHomeLock(home, services.now())
    const progress = progressReporter(terminal)
    try {
      const from = open(named)
      const to = open(options.to)
      const moved = await moveObjects({ from, to, home, onProgress: (at, note) => progress.update(at, note) })
      const isWhole = moved.damaged.length === 0
      const removed = options.remove && isWhole && named !== HOME ? await removeObjects(from) : 0
      return {
        json: { from: named, to: options.to, ...moved, removed },
        failed: !isWhole,
        text: [
          `${moved.files} files of ${moved.bytes} bytes are at ${to.place}, read back and the same; ${moved.skipped} were there before.`,
          ...(removed > 0 ? [`${removed} objects were removed from ${named}.`] : []),
          ...moved.damaged.map(
            (name) =>
              `${name} is damaged at ${from.place}: its content is not what its name says. It was left out.`,
          ),
        ],
      }
    } finally {
      progress.end()
      lock.release()
    }
  },
})
