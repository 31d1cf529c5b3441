import type { ReactNode } from "react";
import { Route, Routes } from "react-router";
import { NotFound } from "../app/shell.tsx";
import { Credentials } from "./credentials/credentials.tsx";
import { Encryption } from "./encryption/encryption.tsx";
import { Keys } from "./keys/keys.tsx";
import { Leaving } from "./leaving.tsx";
import { Notifications } from "./notifications/notifications.tsx";
import { You } from "./you/you.tsx";
import { SigningIn } from "./signing-in/signing-in.tsx";
import "./identity.css";

/** Addresses below /identity: one's own account. */
export default function Identity(): ReactNode {
  return (
    <Routes>
      <Route index element={<You />} />
      <Route path="sign-in" element={<SigningIn />} />
      <Route path="keys" element={<Keys />} />
      <Route path="credentials" element={<Credentials />} />
      <Route path="encryption" element={<Encryption />} />
      <Route path="notifications" element={<Notifications />} />
      <Route path="leaving" element={<Leaving />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
