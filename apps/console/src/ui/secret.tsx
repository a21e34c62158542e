import type { ReactNode } from 'react';

import { T } from '../texts';
import { CopyField } from './copy-field';

/** A text to copy, shown only once. */
export function Secret({ label, text }: { readonly label: string; readonly text: string }): ReactNode {
  return <CopyField label={label} text={text} help={T.keys.once} />;
}
