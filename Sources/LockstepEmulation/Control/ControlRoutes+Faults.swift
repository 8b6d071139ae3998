internal import LockstepPrimitives

extension ControlRoutes {
    /// The routes of faults.
    var faults: [ControlRoute] {
        let panel = panel
        return [
            ControlRoute("GET", "/faults", "Lists all faults, including used ones.") { _ in
                .json(.array(panel.faults.map(FaultDocument.write)))
            },
            ControlRoute("POST", "/faults", "Sets a fault for the next matching requests.") { request in
                let body = try request.values(FaultDocument.body)
                do throws(FaultDocumentError) {
                    let (match, effect, times) = try FaultDocument.read(body)
                    do throws(HeaderError) {
                        let fault = try panel.fail(next: times, match.method, match.path, with: effect)
                        return .json(FaultDocument.write(fault), status: 201)
                    } catch {
                        throw FaultDocumentError(description: error.description)
                    }
                } catch {
                    throw ControlError(400, error.description)
                }
            },
            ControlRoute("DELETE", "/faults", "Removes all faults, and releases all requests that are on hold.") { _ in
                panel.clearFaults()
                return .empty()
            },
            ControlRoute("POST", "/faults/release", "Releases all requests that are on hold.") { _ in
                for fault in panel.faults { fault.release() }
                return .json([:])
            },
            ControlRoute("GET", "/faults/{id}", "Shows one fault.") { request in
                .json(FaultDocument.write(try panel.fault(of: request)))
            },
            ControlRoute("DELETE", "/faults/{id}", "Removes one fault, and releases the requests that it has put on hold.") {
                request in
                _ = panel.faultList.remove(try panel.fault(of: request).id)
                return .empty()
            },
            ControlRoute("POST", "/faults/{id}/release", "Releases the requests that this fault has put on hold.") { request in
                let fault = try panel.fault(of: request)
                fault.release()
                return .json(FaultDocument.write(fault))
            },
        ]
    }
}

extension ControlPanel {
    /// Returns the fault in the path.
    fileprivate func fault(of request: EmulatorRequest) throws(ControlError) -> Fault {
        let id = request[placeholder: "id"]
        guard let fault = faults.first(where: { String($0.id) == id }) else {
            throw ControlError(404, "There is no fault \"\(id.prefix(40))\". GET \(ControlRoutes.prefix)/faults lists them.")
        }
        return fault
    }
}
