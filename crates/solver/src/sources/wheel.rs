//! Python wheels, fetched by the user's own pip: the program inside is taken, nothing is installed into Python.
//!
//! The archive is opened by Python's `zipfile` rather than by a crate: pip needs Python anyway, so this adds nothing
//! to install, and it checks every member's checksum.

use std::path::Path;
use std::time::Duration;

use crate::install::error::InstallError;
use crate::install::progress::{InstallEvent, InstallObserver};
use crate::launcher;
use crate::process::RunStatus;
use crate::profile::{Profile, Wheel};
use crate::sources::path::SearchPath;
use crate::sources::python::Python;
use crate::sources::{Fetched, FoundProgram, SolverSource, digest, no_such_version};
use crate::version::Version;

/// Arguments: the wheel, the folder to fill, the end of the program's path (empty: everything is unpacked).
/// Prints the path of the program or library, relative to the folder.
const UNPACK: &str = r#"
import os, shutil, sys, zipfile
wheel, folder, suffix = sys.argv[1:]
with zipfile.ZipFile(wheel) as archive:
    if suffix:
        names = [n for n in archive.namelist() if ("/" + n).endswith("/" + suffix)]
        if not names:
            sys.exit(3)
        place = os.path.join(folder, os.path.basename(suffix))
        with archive.open(names[0]) as source, open(place, "wb") as target:
            shutil.copyfileobj(source, target)
        os.chmod(place, 0o755)
        print(os.path.basename(suffix))
    else:
        archive.extractall(os.path.join(folder, "lib"))
        print("lib")
"#;

/// The SHA-256 and the name of each wheel of the releases in documents and workflows, in the format of `sha256sum`.
const WHEELS: &str = include_str!("../../wheels.sha256");

/// Wheels from the package index of the user's pip.
#[derive(Clone, Debug)]
pub struct Wheels {
    path: SearchPath,
}

impl Wheels {
    /// Makes the source with the Python found in the given folders.
    pub fn new(path: SearchPath) -> Wheels {
        Wheels { path }
    }
}

impl SolverSource for Wheels {
    fn name(&self) -> &'static str {
        "pip"
    }

    fn find(&self, _: &Profile, _: Duration) -> Option<FoundProgram> {
        None
    }

    fn versions(&self, profile: &Profile) -> Result<Vec<String>, InstallError> {
        let Some(wheel) = &profile.wheel else { return Ok(Vec::new()) };
        let versions = Python::find(&self.path)?.versions(&wheel.package)?;
        let versions = versions.iter().filter_map(|text| text.parse::<Version>().ok());
        let mut versions: Vec<String> =
            versions.map(|v| wheel.program_version(&v).without_package_suffix().to_string()).collect();
        // Repeated packages of one version are adjacent.
        versions.dedup();
        Ok(versions)
    }

    fn fetch(
        &self,
        profile: &Profile,
        version: Option<&Version>,
        into: &Path,
        progress: &mut dyn InstallObserver,
    ) -> Result<Option<Fetched>, InstallError> {
        let Some(wheel) = &profile.wheel else { return Ok(None) };
        let python = Python::find(&self.path)?;
        let archives = tempfile::tempdir_in(into.parent().unwrap_or(into))
            .map_err(|error| InstallError::file("create a folder next to", into, error))?;
        for requirement in requirements(wheel, version) {
            progress.event(&InstallEvent::Asking { requirement: &requirement });
            let Some(archive) = python.download(&requirement, archives.path())? else { continue };
            let Some(package_version) = wheel_version(&archive) else { continue };
            let found = wheel.program_version(&package_version);
            if version.is_some_and(|wanted| *wanted != found) {
                // A pattern such as 4.8.* matched a different release.
                let _ = std::fs::remove_file(&archive);
                continue;
            }
            let file = archive.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let bytes = std::fs::metadata(&archive).map_or(0, |data| data.len());
            let sha256 = digest(&archive).map_err(|error| InstallError::file("read", &archive, error))?;
            let known = known_hashes(wheel, &found, WHEELS, std::env::consts::ARCH);
            let is_known = known.contains(&sha256.as_str());
            if !is_known && !known.is_empty() {
                return Err(InstallError::OtherArchive { requirement, file, sha256 });
            }
            progress.event(&InstallEvent::Downloaded { file: &file, bytes, sha256: &sha256, is_known });
            let fetched = unpack(&python, wheel, &archive, into, package_version, progress)?;
            return Ok(Some(Fetched { version: found, archive_sha256: Some(sha256), ..fetched }));
        }
        Err(self.missing(&python, profile, wheel, version))
    }
}

impl Wheels {
    fn missing(&self, python: &Python, profile: &Profile, wheel: &Wheel, version: Option<&Version>) -> InstallError {
        let available = match python.versions(&wheel.package) {
            // With `retries = 0` pip does not report an unreachable index: it finds no version of the package.
            Ok(available) if available.is_empty() => {
                return InstallError::Offline { requirement: wheel.package.clone() };
            }
            Ok(available) => available,
            Err(error) => return error,
        };
        let parsed = available.iter().filter_map(|text| text.parse::<Version>().ok());
        let parsed: Vec<_> = parsed.map(|version| wheel.program_version(&version)).collect();
        match version {
            Some(version) if !parsed.contains(version) => no_such_version(self.name(), profile, version, &parsed),
            _ => InstallError::NoWheel {
                package: wheel.package.clone(),
                version: version.map_or("any version".to_string(), Version::to_string),
                platform: format!("{} on {}", std::env::consts::ARCH, std::env::consts::OS),
            },
        }
    }
}

fn requirements(wheel: &Wheel, version: Option<&Version>) -> Vec<String> {
    match version {
        None => vec![wheel.package.clone()],
        Some(version) => {
            let patterns = wheel.requirements.iter();
            patterns.map(|p| format!("{}=={}", wheel.package, p.replace("{version}", version.as_str()))).collect()
        }
    }
}

/// Returns the version in a wheel's file name, `package-VERSION-tags.whl` (PEP 427).
fn wheel_version(archive: &Path) -> Option<Version> {
    archive.file_name()?.to_str()?.split('-').nth(1)?.parse().ok()
}

/// Returns the hashes in `lock` of a release's wheels for a machine; none for an unlisted release.
fn known_hashes<'l>(wheel: &Wheel, release: &Version, lock: &'l str, machine: &str) -> Vec<&'l str> {
    let package = wheel.package.replace('-', "_");
    let of_release = |file: &str| {
        let version = file.strip_prefix(&package)?.strip_prefix('-')?.split('-').next()?.parse::<Version>().ok()?;
        (wheel.program_version(&version) == *release && file.contains(machine)).then_some(())
    };
    lock.lines()
        .filter_map(|line| line.split_once("  "))
        .filter_map(|(hash, file)| of_release(file).map(|()| hash))
        .collect()
}

/// Whether this version of the program knows the hashes of a release's wheels.
pub fn is_locked(profile: &Profile, release: &Version) -> bool {
    profile.wheel.as_ref().is_some_and(|wheel| !known_hashes(wheel, release, WHEELS, "").is_empty())
}

fn unpack(
    python: &Python,
    wheel: &Wheel,
    archive: &Path,
    into: &Path,
    version: Version,
    progress: &mut dyn InstallObserver,
) -> Result<Fetched, InstallError> {
    let requirement = format!("{}=={version}", wheel.package);
    let suffix = wheel.program.as_deref().unwrap_or_default();
    progress.event(&InstallEvent::Unpacking { member: if suffix.is_empty() { &wheel.package } else { suffix } });
    let run = python.run(&["-c", UNPACK, &archive.to_string_lossy(), &into.to_string_lossy(), suffix])?;
    let printed = String::from_utf8_lossy(&run.stdout).into_owned();
    let place = match (run.status, printed.lines().next()) {
        (RunStatus::Exited(0), Some(place)) => place.to_string(),
        (RunStatus::Exited(3), _) => {
            return Err(InstallError::NoProgramInWheel { requirement, member: suffix.to_string() });
        }
        _ => {
            let said = String::from_utf8_lossy(&run.stderr).into_owned();
            let cause = said.lines().next_back().unwrap_or("unpacking failed").to_string();
            return Err(InstallError::Corrupt { requirement, cause });
        }
    };
    let hash = |path: &Path| digest(path).map_err(|error| InstallError::file("read", path, error));
    let sha256 = hash(&into.join(&place))?;
    let command = match &wheel.launcher {
        None => vec![place],
        Some(name) => {
            let text = launcher::text(name).ok_or_else(|| InstallError::NoLauncher { launcher: name.clone() })?;
            launcher::place(text, into).map_err(|error| InstallError::file("write a launcher into", into, error))?;
            launcher::command(&launcher::interpreter(python.program()), place)
        }
    };
    Ok(Fetched { command, version, origin: format!("pip: {requirement}"), sha256, archive_sha256: None })
}
