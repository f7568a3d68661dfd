/** Every route of the domain API, area by area: a new area is one file and one line here. */
import { callbackRoutes } from './callbacks.ts'
import { clipRoutes } from './clips.ts'
import { confirmationRoutes } from './confirmations.ts'
import { contextRoutes } from './context.ts'
import type { DomainRoute } from './declare.ts'
import { workflowRoutes } from './workflows.ts'
import { searchRoutes } from './search.ts'

export const DOMAIN_ROUTES: readonly DomainRoute[] = [
  ...contextRoutes,
  ...confirmationRoutes,
  ...clipRoutes,
  ...searchRoutes,
  ...workflowRoutes,
  ...callbackRoutes,
]
