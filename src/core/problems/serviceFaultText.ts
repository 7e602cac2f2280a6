import * as l10n from '@vscode/l10n';
import type { ServiceFault } from '../services/readServices.ts';
import { maxServices } from '../services/serviceEntry.ts';
import { inline } from '../../words/inline.ts';

/** What's wrong with an entry of the list of services, and how it's handled. */
export function serviceFaultText(fault: ServiceFault): string {
  const position = String(fault.position ?? 0);
  const field = inline(fault.field ?? '', 40);
  switch (fault.why) {
    case 'notAList':
      return l10n.t('The setting parlance.services must be a list, so Parlance ignores it.');
    case 'tooMany':
      return l10n.t(
        'The setting parlance.services has more than {0} services. Parlance ignores the rest.',
        maxServices,
      );
    case 'notAService':
      return l10n.t("Service {0} in parlance.services isn't an object, so Parlance ignores it.", position);
    case 'sameName':
      return l10n.t('Service {0} in parlance.services has the name of another one, so Parlance ignores it.', position);
    case 'sameId':
      return l10n.t('Service {0} in parlance.services has the ID of another one, so Parlance ignores it.', position);
    case 'sameBaseUrl':
      return l10n.t(
        'Service {0} in parlance.services has the base URL of another one, so Parlance ignores it.',
        position,
      );
    case 'badBaseUrl':
      return l10n.t(
        "Service {0} in parlance.services has a base URL that can't be used. It must start with https:// or http://, without a user name, a key, or a query.",
        position,
      );
    case 'unknownField':
      return l10n.t(
        'Service {0} in parlance.services has an unknown field, "{1}". Parlance ignores it.',
        position,
        field,
      );
    case 'badField':
      return l10n.t(
        'Service {0} in parlance.services: the value of "{1}" can\'t be used. Parlance ignores it.',
        position,
        field,
      );
    case 'otherService':
      return l10n.t(
        'Service {0} in parlance.services: "{1}" is the URL of another service in the list. Parlance ignores it.',
        position,
        field,
      );
    case 'badHeader':
      return l10n.t(
        "Service {0} in parlance.services: the header \"{1}\" can't be set here, or its value contains a secret or characters that aren't allowed. Parlance doesn't send it.",
        position,
        field,
      );
    case 'badModel':
      return l10n.t(
        'Service {0} in parlance.services: the details of the model "{1}" can\'t be used. Parlance ignores them.',
        position,
        inline(fault.field ?? '', 80),
      );
  }
}
