import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import "./styles/console.css";

createRoot(document.querySelector("#console")!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
